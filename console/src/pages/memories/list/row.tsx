/** One memory in the list: its words, then the few things by which one chooses. */
import { Badge, Group, Text } from "@mantine/core";
import { Pin } from "lucide-react";
import { CategoryBadge } from "../../../parts/category-badge";
import { Name } from "../../../parts/name";
import { RelativeTime } from "../../../parts/relative-time";
import { UserText } from "../../../parts/user-text";
import classes from "../memories.module.css";
import { type Hit, isHit, type Memory } from "../memory";
import { matchedBy } from "./matched";
import { ScoreBar } from "./score";

export function Row({ memory }: { memory: Memory | Hit }) {
  const past = memory.valid_to !== null;
  return (
    <div className={classes.row} data-faded={past || memory.status !== "ACTIVE" || undefined}>
      <Text size="sm" component="div">
        {memory.pinned && <Pin size={13} className={classes.pin} aria-label="Pinned" />}
        <UserText lines={2} shown={400}>
          {memory.content}
        </UserText>
      </Text>
      <Group gap={6} mt={3}>
        <CategoryBadge category={memory.category} />
        {memory.status !== "ACTIVE" && <Badge color="gray">archived</Badge>}
        {past && <Badge color="gray">replaced</Badge>}
        {memory.tags.slice(0, 3).map((tag) => (
          <Badge key={tag} color="gray" maw={140}>
            <Name>{tag}</Name>
          </Badge>
        ))}
        <Text size="xs" c="dimmed" component="span">
          <span title="Importance, 0 to 10">{round(memory.importance)}</span>
          {" · "}
          <RelativeTime at={memory.created_at} />
          {memory.persona_id && (
            <>
              {" · "}
              <Name>{memory.persona_id}</Name>
            </>
          )}
        </Text>
      </Group>
      {isHit(memory) && (
        <Group gap="xs" mt={4} wrap="nowrap">
          <ScoreBar score={memory.score} />
          <Text size="xs" c="dimmed" truncate>
            {matchedBy(memory.explain)}
          </Text>
        </Group>
      )}
    </div>
  );
}

export function round(importance: number): string {
  return String(Math.round(importance * 10) / 10);
}
