/** The work behind the scenes of this user: what runs, what waits, how late it is, and what failed. */
import { Badge, Button, Group, Table, Text } from "@mantine/core";
import { RotateCcw } from "lucide-react";
import { $api, api, type Shape } from "../../api/client";
import { Answer } from "../../parts/answer";
import { contained } from "../../parts/bidi";
import { Mono } from "../../parts/mono";
import { RelativeTime } from "../../parts/relative-time";
import { useOptimistic } from "../../parts/use-optimistic";
import { WideTable } from "../../parts/wide-table";
import { useSession } from "../../session/session";
import { Figures } from "./figure";
import { counted, type Job, lag, nameOf, sorted, standingOf } from "./jobs";

/** Jobs that are shown. */
const SHOWN = 50;
const COLOURS = { running: "ink", due: "orange", scheduled: "gray", dead: "red" };

export function Work() {
  const jobs = $api.useQuery("get", "/v1/jobs", {});
  return (
    <Answer of={jobs}>
      {({ jobs: found }) => {
        const now = new Date();
        const counts = counted(found, now);
        return (
          <>
            <Figures
              of={[
                ["running", counts.running],
                ["queued", counts.due],
                ["scheduled", counts.scheduled],
                ["failed", counts.dead],
                ["seconds of delay", Math.round(lag(found, now))],
              ]}
            />
            {found.length === 0 ? (
              <Text size="sm" c="dimmed" mt="sm">
                All caught up.
              </Text>
            ) : (
              <JobTable jobs={sorted(found, now)} now={now} />
            )}
          </>
        );
      }}
    </Answer>
  );
}

function JobTable({ jobs, now }: { jobs: Job[]; now: Date }) {
  const { writes } = useSession();
  const retry = useOptimistic({
    send: (chosen: Job[]) =>
      Promise.all(
        chosen.map(({ id }) => api.POST("/v1/jobs/{job_id}/revive", { params: { path: { job_id: id } } })),
      ),
    of: ["get", "/v1/jobs"],
    change: (cached: Shape<"JobsShape">, chosen) => ({
      ...cached,
      jobs: cached.jobs.map((job) =>
        chosen.some(({ id }) => id === job.id)
          ? { ...job, status: "pending", attempts: 0, last_error: null, run_at: now.toISOString() }
          : job,
      ),
    }),
    done: "Retrying…",
  });
  const dead = jobs.filter(({ status }) => status === "dead");
  return (
    <>
      {dead.length > 1 && writes && (
        <Group justify="flex-end" mt="sm">
          <Button size="xs" variant="default" onClick={() => retry.mutate(dead)}>
            Retry all {dead.length}
          </Button>
        </Group>
      )}
      <WideTable label="Unfinished jobs" minWidth={560} mt="sm" verticalSpacing={6}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>What</Table.Th>
            <Table.Th>Status</Table.Th>
            <Table.Th>When</Table.Th>
            <Table.Th>Error</Table.Th>
            <Table.Th aria-label="Actions" />
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {jobs.slice(0, SHOWN).map((job) => {
            const standing = standingOf(job, now);
            return (
              <Table.Tr key={job.id}>
                <Table.Td>{nameOf(job.kind)}</Table.Td>
                <Table.Td>
                  <Badge color={COLOURS[standing]} variant="dot" miw="max-content">
                    {standing !== "dead"
                      ? standing
                      : job.attempts
                        ? `failed ${job.attempts} times`
                        : "quarantined"}
                  </Badge>
                </Table.Td>
                <Table.Td>
                  <RelativeTime at={job.run_at} />
                </Table.Td>
                <Table.Td>
                  <Mono>{contained(job.last_error ?? "")}</Mono>
                </Table.Td>
                <Table.Td ta="right">
                  {job.status === "dead" && writes && (
                    <Button
                      size="compact-xs"
                      variant="default"
                      leftSection={<RotateCcw size={12} aria-hidden />}
                      aria-label={`Retry: ${nameOf(job.kind)}`}
                      onClick={() => retry.mutate([job])}
                    >
                      Retry
                    </Button>
                  )}
                </Table.Td>
              </Table.Tr>
            );
          })}
        </Table.Tbody>
      </WideTable>
      {jobs.length > SHOWN && (
        <Text size="xs" c="dimmed" mt={4}>
          And {(jobs.length - SHOWN).toLocaleString("en")} more.
        </Text>
      )}
    </>
  );
}
