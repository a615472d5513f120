/** Everything that happened to a memory, newest first: who, when, why, and what each field was and became. */
import { Text, Timeline } from "@mantine/core";
import { Answer } from "../../../parts/answer";
import { Name } from "../../../parts/name";
import { RelativeTime } from "../../../parts/relative-time";
import { UserText } from "../../../parts/user-text";
import classes from "../memories.module.css";
import type { Change } from "../memory";
import { useHistory } from "../use-memories";
import { type Line, linesOf, until } from "./changes";

/** Entries that are drawn; a memory that is said every day has hundreds. */
const SHOWN = 50;

export function HistoryLine({ memoryId, moment }: { memoryId: string; moment: string }) {
  const history = useHistory(memoryId);
  return (
    <Answer of={history}>
      {({ history: all }) => {
        const entries = until(all, moment).toReversed();
        return (
          <>
            <Timeline bulletSize={10} lineWidth={1} aria-label="History">
              {entries.slice(0, SHOWN).map((entry, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: entries have no id and never change places
                <Timeline.Item key={entries.length - index}>
                  <Entry entry={entry} />
                </Timeline.Item>
              ))}
            </Timeline>
            {entries.length > SHOWN && (
              <Text size="xs" c="dimmed" mt="xs">
                And {entries.length - SHOWN} earlier changes.
              </Text>
            )}
          </>
        );
      }}
    </Answer>
  );
}

function Entry({ entry }: { entry: Change }) {
  return (
    <>
      <Text size="sm" lh={1.2}>
        <b>{entry.change}</b> by <Name>{entry.by}</Name>{" "}
        <Text size="xs" c="dimmed" component="span">
          <RelativeTime at={entry.at} />
        </Text>
      </Text>
      {entry.reason && (
        <Text size="xs" c="dimmed" component="div">
          <UserText lines={3} shown={500}>
            {entry.reason}
          </UserText>
        </Text>
      )}
      {linesOf(entry).map((line) => (
        <ChangedField key={line.field} line={line} />
      ))}
    </>
  );
}

function ChangedField({ line }: { line: Line }) {
  return (
    <Text size="xs" component="div" className={classes.change} mt={2}>
      <Text span inherit c="dimmed">
        {line.field}:{" "}
      </Text>
      {line.old && (
        <del>
          <UserText shown={500}>{line.old}</UserText>
        </del>
      )}
      {line.old && (
        <span className={classes.arrow} aria-hidden>
          →
        </span>
      )}
      <ins>{line.new ? <UserText shown={500}>{line.new}</UserText> : "nothing"}</ins>
    </Text>
  );
}
