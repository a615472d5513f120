/** How memory grows, and how much of it matters: two charts, loaded when they are seen. */
import { SimpleGrid, Skeleton, Text } from "@mantine/core";
import { lazy, Suspense } from "react";
import type { Shape } from "../../api/client";
import { importanceBars, weekBars } from "./figures";

const BarChart = lazy(() => import("./bar-chart"));
const day = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", timeZone: "UTC" });

export function Growth({ stats }: { stats: Shape<"StatsShape"> }) {
  if (stats.total === 0) {
    return (
      <Text size="sm" c="dimmed">
        No memories yet. What is worth keeping is remembered from what is said.
      </Text>
    );
  }
  return (
    <Suspense fallback={<Skeleton h={220} />}>
      <SimpleGrid cols={{ base: 1, md: 2 }} spacing="xl">
        <BarChart
          title="New memories per week"
          by="Week"
          bars={weekBars(stats.growth)}
          shown={(week) => day.format(new Date(`${week}T00:00:00Z`))}
        />
        <BarChart
          title={`Importance, ${stats.average_importance.toFixed(1)} on average`}
          by="Importance"
          bars={importanceBars(stats.by_importance)}
        />
      </SimpleGrid>
    </Suspense>
  );
}
