/** Revisions of a session's summary, oldest first, where there is more than one: a session that was resumed is summarised again. */
import { Select, Stack, Text, Title } from "@mantine/core";
import { useState } from "react";
import type { Shape } from "../../api/client";
import { exactly } from "../../parts/relative-time";
import { type Section, SideBySide } from "./side-by-side";

type Revision = Shape<"SessionSummaryShape">;

export function Revisions({ summaries }: { summaries: Revision[] }) {
  const [wanted, setWanted] = useState("");
  const at = summaries.findIndex(({ revision }) => String(revision) === wanted);
  const chosen = summaries.at(at);
  const before = summaries[(at < 0 ? summaries.length : at + 1) - 2];
  if (!chosen) return null;
  return (
    <Stack gap="xs" component="section">
      <Title order={3}>Revisions</Title>
      <Text size="xs" c="dimmed">
        The session was resumed, and summarised again when it ended again.
      </Text>
      <Select
        size="xs"
        maw={300}
        aria-label="Revision"
        allowDeselect={false}
        value={String(chosen.revision)}
        onChange={(next) => setWanted(next ?? "")}
        data={summaries.map(({ revision, created_at }) => ({
          value: String(revision),
          label: `Revision ${revision}, ${exactly(created_at)}`,
        }))}
      />
      <SideBySide before={before ? sections(before) : null} after={sections(chosen)} />
    </Stack>
  );
}

function sections({ summary }: Revision): Section[] {
  return [
    { name: "In one line", text: summary.one_liner },
    { name: "What mattered", text: summary.what_mattered.join("\n") },
    { name: "Open loops", text: summary.open_loops.join("\n") },
    { name: "Commitments", text: summary.commitments.join("\n") },
    { name: "People", text: summary.people.join("\n") },
    { name: "Tone", text: summary.tone },
  ];
}
