/** The messages that a memory came from, each a link to its place in the chat; or who told it otherwise. */
import { Anchor, Text } from "@mantine/core";
import { $api } from "../../../api/client";
import { Answer } from "../../../parts/answer";
import { RelativeTime } from "../../../parts/relative-time";
import { UserText } from "../../../parts/user-text";
import { to } from "../../../router";
import classes from "../memories.module.css";
import type { Memory } from "../memory";

/** Messages that are shown; one that was said fifty times needs no fifty quotations. */
const SHOWN = 5;

export function Sources({ memory }: { memory: Memory }) {
  const ids = memory.source_message_ids;
  return (
    <>
      {ids.slice(-SHOWN).map((id) => (
        <Source key={id} messageId={id} />
      ))}
      {ids.length > SHOWN && (
        <Text size="xs" c="dimmed" mb="xs">
          The last {SHOWN} of {ids.length} messages.
        </Text>
      )}
      {!ids.length && memory.source_context && (
        <blockquote className={classes.quote}>
          <Text size="sm" component="div">
            <UserText>{memory.source_context}</UserText>
          </Text>
        </blockquote>
      )}
      <Text size="xs" c="dimmed" component="div">
        {ids.length ? "Said by" : "Not from a chat: added by"} {memory.origin}, stored by{" "}
        {words(memory.source)}
        {memory.reasoning && ". "}
        {memory.reasoning && <UserText>{memory.reasoning}</UserText>}
      </Text>
    </>
  );
}

function words(source: string): string {
  return source.replaceAll("_", " ");
}

function Source({ messageId }: { messageId: string }) {
  const message = $api.useQuery("get", "/v1/messages/{message_id}", {
    params: { path: { message_id: messageId } },
  });
  return (
    <Answer of={message}>
      {(said) => (
        <blockquote className={classes.quote}>
          <Text size="sm" component="div">
            <UserText lines={4} shown={1000}>
              {said.text}
            </UserText>
          </Text>
          <Text size="xs" c="dimmed" component="footer">
            {said.role} · <RelativeTime at={said.created_at} /> ·{" "}
            <Anchor size="xs" href={to("/chats", { chat: said.session_id, message: said.id })}>
              See it in the chat
            </Anchor>
          </Text>
        </blockquote>
      )}
    </Answer>
  );
}
