/** Two names and why they may be one; opened, what is known under each. */
import { Badge, Button, Group, Text, Title } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { type ReactNode, useId } from "react";
import { $api } from "../../api/client";
import { Answer } from "../../parts/answer";
import { UserText } from "../../parts/user-text";
import { to } from "../../router";
import classes from "./entities.module.css";
import { counted, nameOf, typeOf } from "./names";
import { TypeMark } from "./type-mark";

export interface EvidenceProps {
  pair: { from: string; into: string; evidence: string; score: number };
  children: ReactNode;
}

export function Evidence({ pair, children }: EvidenceProps) {
  const [opened, { toggle }] = useDisclosure();
  const id = useId();
  return (
    <article style={{ paddingBlock: 14 }} aria-label={`${nameOf(pair.from)} and ${nameOf(pair.into)}`}>
      <Group gap={8} align="baseline">
        <TypeMark type={typeOf(pair.from)} />
        <Title order={3}>
          <UserText shown={80}>{nameOf(pair.from)}</UserText>
          <Text span c="dimmed" fw={400}>
            {" → "}
          </Text>
          <UserText shown={80}>{nameOf(pair.into)}</UserText>
        </Title>
        <Badge color="gray">{Math.round(pair.score * 100)} % likely</Badge>
      </Group>
      <Text size="sm" c="dimmed" component="div" mt={2} mb="xs">
        <UserText shown={300}>{pair.evidence}</UserText>
      </Text>
      <Group gap="xs">
        {children}
        <Button size="xs" variant="subtle" aria-expanded={opened} aria-controls={id} onClick={toggle}>
          {opened ? "Hide details" : "Compare"}
        </Button>
      </Group>
      <div id={id}>
        {opened && (
          <div className={classes.pair} style={{ marginBlockStart: 12 }}>
            <Side entityKey={pair.from} />
            <Side entityKey={pair.into} />
          </div>
        )}
      </div>
    </article>
  );
}

/** Memories of each side; more would not be read here. */
const SHOWN = 5;

function Side({ entityKey }: { entityKey: string }) {
  const details = $api.useQuery("get", "/v1/entities/{key}", { params: { path: { key: entityKey } } });
  return (
    <section aria-label={nameOf(entityKey)}>
      <Answer of={details}>
        {(entity) => (
          <>
            <a className={classes.chip} href={to("/entities", { entity: entity.key })}>
              <UserText lines={1} shown={80}>
                {entity.label}
              </UserText>
              <span className={classes.quiet}>{counted(entity.fact_count, "fact")}</span>
            </a>
            <ul className={classes.plain} style={{ marginBlockStart: 6 }}>
              {entity.memories.slice(0, SHOWN).map((memory) => (
                <li key={memory.memory_id} className={classes.memory}>
                  <Text size="sm" component="div">
                    <UserText shown={300}>{memory.content}</UserText>
                  </Text>
                </li>
              ))}
            </ul>
          </>
        )}
      </Answer>
    </section>
  );
}
