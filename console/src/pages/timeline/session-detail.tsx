/** One session: what its summary says, where it was talked, and how the summary changed when the session went on. */

import { ActionIcon, Anchor, Badge, Group, Stack, Text, Title } from "@mantine/core";
import { MessageSquare, X } from "lucide-react";
import { lazy, type ReactNode, Suspense } from "react";
import { $api, type Shape } from "../../api/client";
import { Answer } from "../../parts/answer";
import { many } from "../../parts/many";
import { Name } from "../../parts/name";
import { exactly } from "../../parts/relative-time";
import { UserText } from "../../parts/user-text";
import { to } from "../../router";
import { lasted, span } from "./moments";
import classes from "./timeline.module.css";

// Comparing texts needs a library that looking at a session does not.
const Revisions = lazy(async () => ({ default: (await import("./revisions")).Revisions }));

type Whole = Shape<"WholeSessionShape">;

export interface SessionDetailProps {
  id: string;
  /** Undefined: it was not chosen, and cannot be closed. */
  onClose: (() => void) | undefined;
}

export function SessionDetail({ id, onClose }: SessionDetailProps) {
  const session = $api.useQuery("get", "/v1/sessions/{session_id}", {
    params: { path: { session_id: id }, query: { revisions: true } },
  });
  return (
    <section
      className={classes.detail}
      aria-label="Session"
      onKeyDown={(event) => {
        if (event.key === "Escape" && !event.defaultPrevented) onClose?.();
      }}
    >
      <Answer of={session}>{(found) => <Known session={found} onClose={onClose} />}</Answer>
    </section>
  );
}

function Known({ session, onClose }: { session: Whole; onClose: SessionDetailProps["onClose"] }) {
  const { summary } = session;
  return (
    <Stack gap="lg" className={classes.within}>
      <header>
        <Group justify="space-between" wrap="nowrap" align="flex-start" gap="xs">
          <Title order={2}>{summary ? <UserText>{summary.one_liner}</UserText> : "No summary yet"}</Title>
          {onClose && (
            <ActionIcon aria-label="Close" title="Close (Esc)" onClick={onClose}>
              <X size={18} aria-hidden />
            </ActionIcon>
          )}
        </Group>
        <Group gap="xs" mt={4} className={classes.quiet}>
          <span>{span(session.startedAt, session.lastActivityAt)}</span>
          <span>{lasted(session.startedAt, session.lastActivityAt)}</span>
          <span>{many(session.turnCount, "turn")}</span>
          {session.persona_id && (
            <Badge color="gray">
              <Name>{session.persona_id}</Name>
            </Badge>
          )}
          {summary && (
            <Badge color="gray">
              tone: <Name>{summary.tone}</Name>
            </Badge>
          )}
        </Group>
      </header>
      <Places session={session} />
      {summary ? (
        <>
          <Items title="What mattered" items={summary.what_mattered} none="Nothing in particular." />
          <Items title="Open loops" items={summary.open_loops} none="Nothing was left open." />
          <Items title="Commitments" items={summary.commitments} none="No commitments." />
          <Part title="People">
            {summary.people.length === 0 ? (
              <Text size="sm" c="dimmed">
                No people mentioned.
              </Text>
            ) : (
              <Group gap="xs">
                {summary.people.map((name) => (
                  <Anchor key={name} size="sm" href={to("/entities", { q: name.slice(0, 100) })}>
                    <UserText shown={80}>{name}</UserText>
                  </Anchor>
                ))}
              </Group>
            )}
          </Part>
          {session.summarised && (
            <Text size="xs" c="dimmed">
              Written by <Name most={80}>{session.summarised.written_by}</Name>,{" "}
              {exactly(session.summarised.created_at)}
            </Text>
          )}
        </>
      ) : (
        <Text size="sm" c="dimmed">
          {session.endedAt
            ? "The session is over; its summary is being written."
            : "The session goes on. It ends after 30 minutes of silence, and is summarised then."}
        </Text>
      )}
      {session.revisions && session.revisions.length > 1 && (
        <Suspense>
          <Revisions summaries={session.revisions} />
        </Suspense>
      )}
    </Stack>
  );
}

function Places({ session }: { session: Whole }) {
  if (session.chats.length === 0) return null;
  return (
    <Part title="Talked in">
      <ul className={classes.plain}>
        {session.chats.map((chat) => (
          <li key={chat.chat_id}>
            <Group gap={8} wrap="nowrap" align="baseline">
              <MessageSquare size={14} aria-hidden style={{ flexShrink: 0 }} />
              <Anchor size="sm" href={to("/chats", { chat: chat.chat_id, message: chat.first_message_id })}>
                <UserText shown={120}>{chat.title || chat.chat_id}</UserText>
              </Anchor>
              <span className={classes.quiet}>
                {many(chat.message_count, "message")}, from the first of them
              </span>
            </Group>
          </li>
        ))}
      </ul>
    </Part>
  );
}

function Items({ title, items, none }: { title: string; items: string[]; none: string }) {
  return (
    <Part title={title}>
      {items.length === 0 ? (
        <Text size="sm" c="dimmed">
          {none}
        </Text>
      ) : (
        <ul className={classes.items}>
          {items.map((item) => (
            <li key={item}>
              <UserText>{item}</UserText>
            </li>
          ))}
        </ul>
      )}
    </Part>
  );
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section>
      <Title order={3} mb={4}>
        {title}
      </Title>
      {children}
    </section>
  );
}
