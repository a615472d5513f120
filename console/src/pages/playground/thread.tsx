/** The thread of the playground: what was said, what belongs beside it, and the turn that goes on. */
import { Alert, Anchor, Button, Loader, Text } from "@mantine/core";
import { BookmarkPlus, TriangleAlert } from "lucide-react";
import { type ReactElement, type ReactNode, useEffect, useRef, useState } from "react";
import type { Shape } from "../../api/client";
import { Name } from "../../parts/name";
import { RelativeTime } from "../../parts/relative-time";
import { UserText } from "../../parts/user-text";
import { to } from "../../router";
import { type Beside, NOTHING, shownBeside } from "./beside";
import { ContextSent } from "./context-sent";
import classes from "./playground.module.css";
import { SaveDialog } from "./save-dialog";
import { ToolCall } from "./tool-call";
import type { Arguments } from "./tool-use";
import { askedIn, isAnswered, isOver, type Turn } from "./turn";

type Message = Shape<"MessageShape">;

export interface ThreadProps {
  chat: string;
  messages: Message[];
  /** Earlier ones are not shown. */
  cut: boolean;
  turn: Turn | null;
  beside: Record<string, Beside>;
  /** No model is asked. */
  without: boolean;
  /** Null: this user may not. */
  onSave: ((message: Message, given: Arguments) => void) | null;
  onLook: () => void;
}

/** Pixels from the end within which somebody is still reading along. */
const NEAR = 120;

export function Thread({ chat, messages, cut, turn, beside, without, onSave, onLook }: ThreadProps) {
  const scroller = useRef<HTMLDivElement>(null);
  const reading = useRef(true);
  const last = messages.at(-1)?.id;
  // biome-ignore lint/correctness/useExhaustiveDependencies: whenever there is more to read
  useEffect(() => {
    const pane = scroller.current;
    if (pane && reading.current) pane.scrollTop = pane.scrollHeight;
  }, [last, turn]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another chat is read from its end
  useEffect(() => {
    reading.current = true;
  }, [chat, turn?.question]);

  const asked = turn ? askedIn(messages, turn) : "";
  const stored = messages.findIndex(({ id }) => id === asked);
  const told = turn && !turn.settled && stored >= 0 ? messages.slice(0, stored + 1) : messages;
  const hidden = shownBeside(told, beside);
  return (
    <section
      ref={scroller}
      className={classes.thread}
      aria-label="Conversation"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard
      tabIndex={0}
      onScroll={({ currentTarget: pane }) => {
        reading.current = pane.scrollHeight - pane.scrollTop - pane.clientHeight < NEAR;
      }}
    >
      {cut && (
        <Text size="xs" c="dimmed" ta="center">
          Earlier messages are in <Anchor href={to("/chats", { chat })}>Chats</Anchor>.
        </Text>
      )}
      {/* One list: what somebody has opened stays open when the turn that showed it is over. */}
      {[
        ...told.filter(({ id }) => !hidden.has(id)).flatMap((message) => rowsOf(message, beside, onSave)),
        turn && stored < 0 && <Question key="question" text={turn.question} />,
        ...(turn?.uses ?? []).map((use) => <ToolCall key={use.id} use={use} />),
        turn && (
          <Going
            key="going"
            turn={turn}
            stored={stored >= 0}
            replied={turn.settled && isAnswered(messages, asked)}
            without={without}
            onLook={onLook}
          />
        ),
      ]}
    </section>
  );
}

const NAMES: Record<string, string> = { user: "You", assistant: "Assistant", tool: "Tool", system: "System" };

function Bubble({ by, about, children }: { by: string; about?: ReactNode; children: ReactNode }) {
  return (
    <article className={classes.message} data-role={by} aria-label={`${NAMES[by] ?? by} said`}>
      <Text size="xs" c="dimmed" mb={2} component="div">
        <b>{NAMES[by] ?? by}</b> {about}
      </Text>
      {children}
    </article>
  );
}

/** A message, and what belongs beside it. */
function rowsOf(
  message: Message,
  beside: Record<string, Beside>,
  onSave: ThreadProps["onSave"],
): ReactElement[] {
  const { uses, context } = beside[message.id] ?? NOTHING;
  return [
    <Said key={message.id} message={message} onSave={onSave} />,
    ...uses.map((use) => <ToolCall key={use.id} use={use} />),
    ...(context ? [<ContextSent key={`${message.id} context`} context={context} />] : []),
  ];
}

function Said({ message, onSave }: { message: Message; onSave: ThreadProps["onSave"] }) {
  const [saving, setSaving] = useState(false);
  const model = message.role === "assistant" ? message.model_variant : null;
  const about = (
    <>
      {model && (
        <>
          <Name>{model}</Name>
          {" · "}
        </>
      )}
      <RelativeTime at={message.created_at} />
    </>
  );
  return (
    <>
      <Bubble by={message.role} about={about}>
        <Text size="sm" component="div">
          <UserText>{message.text}</UserText>
        </Text>
        {onSave && message.role !== "tool" && (
          <Button
            className={classes.save}
            variant="subtle"
            color="gray"
            size="compact-xs"
            fw={400}
            leftSection={<BookmarkPlus size={13} aria-hidden />}
            onClick={() => setSaving(true)}
          >
            Save to memory
          </Button>
        )}
      </Bubble>
      {saving && onSave && (
        <SaveDialog
          text={message.text}
          onSave={(given) => onSave(message, given)}
          onClose={() => setSaving(false)}
        />
      )}
    </>
  );
}

/** What was asked, until it stands in the thread. */
function Question({ text }: { text: string }) {
  return (
    <Bubble by="user">
      <Text size="sm" component="div">
        <UserText>{text}</UserText>
      </Text>
    </Bubble>
  );
}

interface GoingProps {
  turn: Turn;
  /** What was asked, and what was answered, is among the messages already. */
  stored: boolean;
  replied: boolean;
  without: boolean;
  onLook: () => void;
}

function Going({ turn, stored, replied, without, onLook }: GoingProps) {
  return (
    <>
      {!replied && (turn.words || !isOver(turn)) && (
        <Bubble by="assistant">
          <Text size="sm" component="div" aria-live="polite" aria-busy={!isOver(turn)}>
            {turn.words ? <UserText>{turn.words}</UserText> : <Loader size="xs" type="dots" aria-hidden />}
          </Text>
        </Bubble>
      )}
      {turn.state === "stopped" && !replied && (
        <Text size="xs" c="dimmed" component="div" role="status">
          You stopped listening. What the model still says is kept in the chat.{" "}
          <Anchor component="button" type="button" size="xs" onClick={onLook}>
            Look for it
          </Anchor>
        </Text>
      )}
      {turn.state === "failed" && (
        <Alert
          role="alert"
          color="red"
          icon={<TriangleAlert size={18} aria-hidden />}
          title={<UserText lines={6}>{turn.error}</UserText>}
        >
          <Text size="sm">
            {stored ? "What you said is kept in the chat." : "What you said was not kept."}
            {!without && " “Don't call the model” works without a model."}
          </Text>
        </Alert>
      )}
    </>
  );
}
