/** Timeline: stretches of activity with their summaries. */
import { Text, Timeline } from "@mantine/core";
import { Clock } from "lucide-react";
import { $api } from "../../api/client";
import { Answer } from "../../parts/answer";
import { EmptyState } from "../../parts/empty-state";
import { Page } from "../../parts/page";
import { PersonaSelect, usePersona } from "../../parts/persona-select";
import { exactly } from "../../parts/relative-time";
import { UserText } from "../../parts/user-text";

export default function TimelinePage() {
  const persona = usePersona();
  const sessions = $api.useQuery("get", "/v1/sessions", {
    params: { query: { limit: 50, ...(persona ? { persona_id: persona } : {}) } },
  });
  return (
    <Page title="Timeline" lead="Sessions and what mattered in them." actions={<PersonaSelect />}>
      <Answer of={sessions}>
        {({ sessions: found }) =>
          found.length === 0 ? (
            <EmptyState icon={Clock} title="No sessions yet">
              A session begins with a message and ends after a while of silence; then it is summarised.
            </EmptyState>
          ) : (
            <Timeline bulletSize={12} lineWidth={1} active={-1}>
              {found.map((session) => (
                <Timeline.Item key={session.id} title={exactly(session.startedAt)}>
                  <Text size="sm" component="div">
                    <UserText>{session.summary?.one_liner ?? "Still going on."}</UserText>
                  </Text>
                  <Text size="xs" c="dimmed">
                    {session.turnCount} turns{session.persona_id && ` · ${session.persona_id}`}
                  </Text>
                </Timeline.Item>
              ))}
            </Timeline>
          )
        }
      </Answer>
    </Page>
  );
}
