/** The long view of a user over all chats, and how it changed. */

import { Text } from "@mantine/core";
import { Layers } from "lucide-react";
import { useMemo } from "react";
import { $api, type Shape } from "../../api/client";
import { Answer } from "../../parts/answer";
import { EmptyState } from "../../parts/empty-state";
import { many } from "../../parts/many";
import { type Version, Versions } from "./versions";

const NAMES = {
  PROFILE: "Profile",
  PROJECTS: "Projects",
  PEOPLE: "People",
  OPEN_LOOPS: "Open loops",
} as const;

export function Spine() {
  const spine = $api.useQuery("get", "/v1/spine", { params: { query: { revisions: true } } });
  return <Answer of={spine}>{({ revisions = [] }) => <Known spines={revisions} />}</Answer>;
}

function Known({ spines }: { spines: Shape<"SpineShape">[] }) {
  const versions = useMemo(() => spines.map(versionOf), [spines]);
  if (versions.length === 0) {
    return (
      <EmptyState icon={Layers} title="No overall summary yet">
        Every twenty messages or so, profile, projects, people and open loops are summarised here. Every
        context begins with it.
      </EmptyState>
    );
  }
  return <Versions label="Versions of the overall summary" versions={versions} />;
}

function versionOf(spine: Shape<"SpineShape">): Version {
  return {
    number: spine.version,
    at: spine.created_at,
    by: spine.written_by,
    sections: Object.entries(NAMES).map(([key, name]) => ({
      name,
      text: spine.content[key as keyof typeof NAMES],
    })),
    note: (
      <Text size="xs" c="dimmed">
        after {many(spine.messageCount, "message")}
      </Text>
    ),
  };
}
