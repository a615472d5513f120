/** One memory: its words, what can be done with it, why it was found, where it came from, and what became of it. */
import { ActionIcon, Badge, Group, Text, Title } from "@mantine/core";
import { Pin, X } from "lucide-react";
import { type ReactNode, useRef, useState } from "react";
import { Answer } from "../../../parts/answer";
import { CategoryBadge } from "../../../parts/category-badge";
import { Name } from "../../../parts/name";
import { exactly, RelativeTime } from "../../../parts/relative-time";
import { UserText } from "../../../parts/user-text";
import { useSession } from "../../../session/session";
import { round } from "../list/row";
import { ScoreTerms } from "../list/score";
import classes from "../memories.module.css";
import { type Hit, isHit, type Memory } from "../memory";
import { useOne } from "../use-memories";
import { Actions } from "./actions";
import { EditForm } from "./edit-form";
import { Facts } from "./facts";
import { HistoryLine } from "./history-line";
import { Sources } from "./sources";

export interface DetailProps {
  memoryId: string;
  /** As the list shows it: with its score, or as it was then. */
  shown: Memory | Hit | undefined;
  /** The moment that is looked at; empty for now. */
  moment: string;
  /** Closes it; where something around it does, there is no button. */
  onClose?: () => void;
}

export function Detail({ memoryId, shown, moment, onClose }: DetailProps) {
  // What is shown of the past came with the list; the service tells of one memory only how it is now.
  const then = moment ? shown : undefined;
  const one = useOne(memoryId, !then);
  return (
    <div>
      <Group justify="space-between" wrap="nowrap" mb={4}>
        <Text size="xs" c="dimmed">
          {then ? `As it was on ${exactly(moment)}. To change it, go back to now.` : onClose && "Memory"}
        </Text>
        {onClose && (
          <ActionIcon aria-label="Close" onClick={onClose}>
            <X size={17} aria-hidden />
          </ActionIcon>
        )}
      </Group>
      {then ? (
        <Whole memory={then} moment={moment} hit={isHit(then) ? then : null} />
      ) : (
        <Answer of={one}>
          {(memory) => <Whole memory={memory} moment={moment} hit={shown && isHit(shown) ? shown : null} />}
        </Answer>
      )}
    </div>
  );
}

function Whole({ memory, moment, hit }: { memory: Memory; moment: string; hit: Hit | null }) {
  const { writes } = useSession();
  const [editing, setEditing] = useState(false);
  const pen = useRef<HTMLButtonElement>(null);
  const free = writes && !moment;

  function done() {
    setEditing(false);
    requestAnimationFrame(() => pen.current?.focus());
  }

  return (
    <>
      {editing && free ? <EditForm memory={memory} onDone={done} /> : <Words memory={memory} />}
      {free && !editing && <Actions memory={memory} pen={pen} onEdit={() => setEditing(true)} />}
      {hit && (
        <Section title="Why it was found">
          <ScoreTerms hit={hit} />
        </Section>
      )}
      <Section title="Where it came from">
        <Sources memory={memory} />
      </Section>
      <Section title="History">
        <HistoryLine memoryId={memory.memory_id} moment={moment} />
      </Section>
      <Section title="Record">
        <Facts memory={memory} />
      </Section>
    </>
  );
}

function Words({ memory }: { memory: Memory }) {
  return (
    <>
      <Text fz="lg" lh={1.45} component="div">
        <UserText>{memory.content}</UserText>
      </Text>
      <Group gap={6} mt="xs">
        <CategoryBadge category={memory.category} />
        {memory.pinned && (
          <Badge leftSection={<Pin size={11} aria-hidden />}>pinned: always shown to the model</Badge>
        )}
        {memory.status !== "ACTIVE" && <Badge color="gray">archived: not searched</Badge>}
        {memory.valid_to && <Badge color="gray">replaced</Badge>}
        {memory.flagged && <Badge color="red">flagged</Badge>}
        {memory.tags.map((tag) => (
          <Badge key={tag} color="gray" maw="100%">
            <Name most={200}>{tag}</Name>
          </Badge>
        ))}
        <Text size="xs" c="dimmed" component="span">
          importance {round(memory.importance)} · <RelativeTime at={memory.created_at} />
        </Text>
      </Group>
    </>
  );
}

function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className={classes.section}>
      <Title order={2} size="h3" mb="xs">
        {title}
      </Title>
      {children}
    </section>
  );
}
