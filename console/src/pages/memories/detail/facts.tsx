/** The rest of the record, for whoever wants to know exactly. */
import { Anchor, Group } from "@mantine/core";
import type { ReactNode } from "react";
import { Mono } from "../../../parts/mono";
import { Name } from "../../../parts/name";
import { exactly } from "../../../parts/relative-time";
import { to } from "../../../router";
import { nameOf } from "../consequences";
import classes from "../memories.module.css";
import type { Memory } from "../memory";

export function Facts({ memory }: { memory: Memory }) {
  const rows: [string, ReactNode][] = [
    ["Mentions", memory.entity_refs.length > 0 && <Entities keys={memory.entity_refs} />],
    [
      "Persona",
      memory.persona_id ? (
        <Name key="persona" most={256}>
          {memory.persona_id}
        </Name>
      ) : (
        "shared by all"
      ),
    ],
    ["Key", memory.memory_key && <Mono>{memory.memory_key}</Mono>],
    ["Type", memory.type],
    ["Confidence", memory.confidence.toFixed(2)],
    ["Said", times(memory.mention_count)],
    [
      "Used",
      memory.last_accessed ? `${times(memory.access_count)}, last ${exactly(memory.last_accessed)}` : "never",
    ],
    ["True from", exactly(memory.valid_from)],
    ["True until", memory.valid_to && exactly(memory.valid_to)],
    ["Replaces", memory.supersedes && <Other memoryId={memory.supersedes} />],
    ["Replaced by", memory.superseded_by && <Other memoryId={memory.superseded_by} />],
    ["Folded into", memory.folded_into && <Other memoryId={memory.folded_into} />],
    ["Tokens", memory.tokens],
    ["Id", <Mono key="id">{memory.memory_id}</Mono>],
  ];
  return (
    <dl className={classes.facts}>
      {rows.map(
        ([name, value]) =>
          value && (
            <div key={name} style={{ display: "contents" }}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ),
      )}
    </dl>
  );
}

function times(count: number): string {
  return count === 1 ? "once" : `${count.toLocaleString("en")} times`;
}

function Entities({ keys }: { keys: string[] }) {
  return (
    <Group gap="xs">
      {keys.slice(0, 20).map((key) => (
        <Anchor key={key} size="sm" href={to("/entities", { entity: key })}>
          <Name>{nameOf(key)}</Name>
        </Anchor>
      ))}
    </Group>
  );
}

/** Another version of it. */
function Other({ memoryId }: { memoryId: string }) {
  return (
    <Anchor size="xs" ff="monospace" href={to("/memories", { memory: memoryId })}>
      {memoryId}
    </Anchor>
  );
}
