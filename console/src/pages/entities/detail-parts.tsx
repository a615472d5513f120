/** What is known about an entity: its other names, who is mentioned with it, and the memories. */
import { Anchor, Badge, Button, Group, Text } from "@mantine/core";
import type { Shape } from "../../api/client";
import { CategoryBadge } from "../../parts/category-badge";
import { Mono } from "../../parts/mono";
import { RelativeTime } from "../../parts/relative-time";
import { UserText } from "../../parts/user-text";
import { to } from "../../router";
import { useSession } from "../../session/session";
import { useNames } from "./changes";
import classes from "./entities.module.css";
import { counted, nameOf, typeOf } from "./names";
import { Part } from "./part";
import { TypeMark } from "./type-mark";

type Details = Shape<"DetailsShape">;

export function Names({ entity }: { entity: Details }) {
  const { writes } = useSession();
  const { unmerge } = useNames();
  if (entity.aliases.length === 0) return null;
  return (
    <Part title="Other names" lead="Merged into this entity.">
      <ul className={classes.plain}>
        {entity.aliases.map((alias) => (
          <li key={alias}>
            <Group justify="space-between" gap="xs" py={4} wrap="nowrap">
              <Text size="sm" component="div">
                <UserText shown={200}>{nameOf(alias)}</UserText> <Mono c="dimmed">{alias.slice(0, 120)}</Mono>
              </Text>
              {writes && (
                <Button
                  size="compact-xs"
                  variant="subtle"
                  style={{ flexShrink: 0 }}
                  aria-label={`Undo the merge of ${nameOf(alias).slice(0, 80)}`}
                  onClick={() => unmerge({ from: alias, into: entity.key })}
                >
                  Undo
                </Button>
              )}
            </Group>
          </li>
        ))}
      </ul>
    </Part>
  );
}

/** Neighbours that are shown; the graph has all. */
const SHOWN = 40;

export function Together({ entity }: { entity: Details }) {
  if (entity.neighbours.length === 0) return null;
  return (
    <Part title="Mentioned with">
      <ul className={classes.chips}>
        {entity.neighbours.slice(0, SHOWN).map(({ key, count }) => (
          <li key={key}>
            <a className={classes.chip} href={to("/entities", { entity: key })}>
              <TypeMark type={typeOf(key)} size={13} />
              <UserText lines={1} shown={60}>
                {nameOf(key)}
              </UserText>
              <span className={classes.quiet}>{count}</span>
            </a>
          </li>
        ))}
      </ul>
      {entity.neighbours.length > SHOWN && (
        <Text size="xs" c="dimmed" mt={6}>
          and {counted(entity.neighbours.length - SHOWN, "other")}
        </Text>
      )}
    </Part>
  );
}

export function Memories({ entity }: { entity: Details }) {
  return (
    <Part
      title="Memories"
      aside={
        <Anchor size="xs" href={to("/memories", { entity: entity.key })}>
          Open in Memories
        </Anchor>
      }
    >
      <ul className={classes.plain}>
        {entity.memories.map((memory) => (
          <li key={memory.memory_id} className={classes.memory}>
            <Text size="sm" component="div">
              <UserText shown={600}>{memory.content}</UserText>
            </Text>
            <Group gap="xs" mt={3} className={classes.quiet}>
              <CategoryBadge category={memory.category} />
              {memory.pinned && <Badge>pinned</Badge>}
              <span>importance {memory.importance}</span>
              <RelativeTime at={memory.created_at} />
              <Anchor size="xs" href={to("/memories", { memory: memory.memory_id })}>
                Where from
              </Anchor>
            </Group>
          </li>
        ))}
      </ul>
      {entity.fact_count > entity.memories.length && (
        <Text size="xs" c="dimmed" mt={6}>
          The newest {entity.memories.length} of {entity.fact_count}.
        </Text>
      )}
    </Part>
  );
}
