/** The rolling summary with a persona: what the last turns were about, revision by revision. */
import { Text } from "@mantine/core";
import { Waves } from "lucide-react";
import { useMemo } from "react";
import { $api, type Shape } from "../../api/client";
import { Answer } from "../../parts/answer";
import { EmptyState } from "../../parts/empty-state";
import { Name } from "../../parts/name";
import { usePersona, usePersonas } from "../../parts/persona-select";
import { span } from "./moments";
import { type Version, Versions } from "./versions";

export function Rolling() {
  const persona = usePersona();
  const personas = usePersonas();
  const alone = useRolling(null);
  if (persona) return <With persona={persona} />;
  // Without a choice: what was said without a persona, or else with the first one.
  return (
    <Answer of={alone}>
      {({ revisions = [] }) => (
        <With persona={revisions.length === 0 ? (personas.data?.[0] ?? null) : null} />
      )}
    </Answer>
  );
}

function useRolling(persona: string | null) {
  return $api.useQuery("get", "/v1/state", {
    params: { query: { revisions: true, ...(persona ? { persona_id: persona } : {}) } },
  });
}

function With({ persona }: { persona: string | null }) {
  const rolling = useRolling(persona);
  return (
    <Answer of={rolling}>
      {({ revisions = [] }) =>
        revisions.length === 0 ? (
          <EmptyState icon={Waves} title="No recent summary yet">
            Every four turns with a persona, the summary of what is going on is rewritten for the next
            session.
          </EmptyState>
        ) : (
          <Known persona={persona} summaries={revisions} />
        )
      }
    </Answer>
  );
}

interface KnownProps {
  persona: string | null;
  summaries: Shape<"RollingSummaryShape">[];
}

function Known({ persona, summaries }: KnownProps) {
  const versions = useMemo(() => summaries.map(versionOf), [summaries]);
  return <Versions label={`Recent summaries with ${persona ?? "no persona"}`} versions={versions} />;
}

function versionOf(summary: Shape<"RollingSummaryShape">): Version {
  return {
    number: summary.revision,
    at: summary.created_at,
    by: summary.written_by,
    sections: [{ name: "", text: sentences(summary.summary) }],
    note: (
      <Text size="xs" c="dimmed">
        {summary.persona_id && (
          <>
            with <Name>{summary.persona_id}</Name>,{" "}
          </>
        )}
        about {span(summary.from_message_at, summary.until_message_at)}
      </Text>
    ),
  };
}

/** One sentence per line: two versions are compared by what they say, not by where it stands in a paragraph. */
function sentences(text: string): string {
  return text.replace(/([.!?…]["”»]?)[ \t]+(?=[^\s(])/gu, "$1\n");
}
