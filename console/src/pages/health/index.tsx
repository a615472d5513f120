/** Health: whether everything is done that should be, how memory grows, and the way in and out for files. */
import { SimpleGrid, Text, Title } from "@mantine/core";
import type { ReactNode } from "react";
import { $api } from "../../api/client";
import { Answer } from "../../parts/answer";
import { Page } from "../../parts/page";
import { useSession } from "../../session/session";
import { Export } from "./export";
import { Figures } from "./figure";
import { Growth } from "./growth";
import classes from "./health.module.css";
import { Import } from "./import";
import { Readiness } from "./readiness";
import { Savings } from "./savings";
import { Store } from "./store";
import { Work } from "./work";

export default function HealthPage() {
  const stats = $api.useQuery("get", "/memories/stats", {});
  const { operates, writes } = useSession();
  return (
    <Page title="Health" lead="Background work, storage and growth." actions={<Readiness />}>
      <div className={classes.sections}>
        <Section title="Memory">
          <Answer of={stats}>
            {(found) => (
              <>
                <Figures
                  of={[
                    ["memories", found.total],
                    ["messages", found.messages],
                    ["chats", found.chats],
                    ["not judged yet", found.messages_unjudged],
                    ["not indexed yet", found.messages_waiting],
                  ]}
                />
                <Growth stats={found} />
              </>
            )}
          </Answer>
        </Section>
        <Section title="Work">
          <Work />
        </Section>
        <Section title="Tokens saved">
          <Savings />
        </Section>
        <Section title="The store">
          {operates ? (
            <Store />
          ) : (
            <Text size="sm" c="dimmed">
              Size, indexes, what models cost and everybody's work are for whoever runs the service: sign in
              with a service key to see them.
            </Text>
          )}
        </Section>
        <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="xl" verticalSpacing="2.25rem">
          <Section title="Export">
            <Export />
          </Section>
          {writes && (
            <Section title="Import">
              <Import />
            </Section>
          )}
        </SimpleGrid>
      </div>
    </Page>
  );
}

function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section aria-label={title} className={classes.section}>
      <Title order={2} mb="sm">
        {title}
      </Title>
      {children}
    </section>
  );
}
