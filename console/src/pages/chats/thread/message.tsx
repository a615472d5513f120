/** One message: who said what and when, how much it matters, what is pinned of it, and what can be done with it. */
import { ActionIcon, Group, Skeleton, Text, Tooltip } from "@mantine/core";
import { Pencil, Pin, PinOff, Trash2 } from "lucide-react";
import type { Shape } from "../../../api/client";
import { exactly, onDay } from "../../../parts/relative-time";
import { UserText } from "../../../parts/user-text";
import { MessageEditor } from "./message-editor";
import { heat } from "./rows";
import classes from "./thread.module.css";
import type { Message } from "./use-messages";

type PinShape = Shape<"PinShape">;

export interface MessageActs {
  edit: (id: string | null) => void;
  pin: (message: Message) => void;
  remove: (message: Message) => void;
  unpin: (pin: PinShape) => void;
}

interface MessageRowProps {
  message: Message | null | undefined;
  /** The one at the position before, as far as it is known. */
  before: Message | null | undefined;
  pins: ReadonlyMap<string, PinShape[]>;
  folded: boolean;
  /** Its buttons can be reached with Tab. */
  active: boolean;
  /** The message that is being edited. */
  editing: string | null;
  /** null: whoever looks may not change anything. */
  acts: MessageActs | null;
  onSave: (change: { message: Message; text: string }) => void;
}

const SPEAKERS: Record<string, string> = {
  user: "User",
  assistant: "Assistant",
  system: "System",
  tool: "Tool",
};
const clock = new Intl.DateTimeFormat("en-GB", { timeStyle: "short" });

export function MessageRow(props: MessageRowProps) {
  const { message, before, pins, folded, active, acts } = props;
  if (message === null) return null;
  if (message === undefined) {
    return (
      <div className={classes.message}>
        <Skeleton h={10} w={90} mb={8} />
        <Skeleton h={12} w="70%" />
      </div>
    );
  }
  const pinned = pins.get(message.id) ?? [];
  const editing = props.editing === message.id && acts !== null;
  const score = message.importance_score.toLocaleString("en", { maximumFractionDigits: 1 });
  return (
    <>
      {before && onDay(before.created_at) !== onDay(message.created_at) && (
        <Text size="xs" c="dimmed" className={classes.day}>
          {onDay(message.created_at)}
        </Text>
      )}
      <div className={classes.message} data-role={message.role} data-folded={folded || undefined}>
        <span
          className={classes.heat}
          style={{ "--heat": `${heat(message.importance_score)}%` } as React.CSSProperties}
          title={`importance ${score}`}
        />
        <div className={classes.meta}>
          <Text size="xs" fw={600} component="span" truncate>
            <bdi>{message.name?.slice(0, 80) ?? SPEAKERS[message.role] ?? message.role}</bdi>
          </Text>
          <time dateTime={message.created_at} title={exactly(message.created_at)} className={classes.quiet}>
            {clock.format(new Date(message.created_at))}
          </time>
          <span className={`${classes.quiet} ${classes.score}`}>importance {score}</span>
          {acts && !editing && <Buttons message={message} active={active} acts={acts} />}
        </div>
        {editing ? (
          <MessageEditor
            text={message.text}
            onCancel={() => acts.edit(null)}
            onSave={(text) => {
              acts.edit(null);
              if (text !== message.text) props.onSave({ message, text });
            }}
          />
        ) : (
          <Text size="sm" component="div">
            <UserText>{message.text}</UserText>
          </Text>
        )}
        {pinned.map((pin) => (
          <Pinned key={pin.id} pin={pin} active={active} onUnpin={acts ? () => acts.unpin(pin) : null} />
        ))}
      </div>
    </>
  );
}

function Buttons({ message, active, acts }: { message: Message; active: boolean; acts: MessageActs }) {
  const tabIndex = active ? 0 : -1;
  return (
    <Group gap={2} wrap="nowrap" className={classes.buttons} data-active={active || undefined}>
      <Act label="Pin this message (p)" icon={Pin} tabIndex={tabIndex} onClick={() => acts.pin(message)} />
      <Act
        label="Edit this message (e)"
        icon={Pencil}
        tabIndex={tabIndex}
        onClick={() => acts.edit(message.id)}
      />
      <Act
        label="Delete this message (Del)"
        icon={Trash2}
        tabIndex={tabIndex}
        onClick={() => acts.remove(message)}
      />
    </Group>
  );
}

function Act(props: { label: string; icon: typeof Pin; tabIndex: number; onClick: () => void }) {
  return (
    <Tooltip label={props.label}>
      <ActionIcon size={24} aria-label={props.label} tabIndex={props.tabIndex} onClick={props.onClick}>
        <props.icon size={14} aria-hidden />
      </ActionIcon>
    </Tooltip>
  );
}

function Pinned({ pin, active, onUnpin }: { pin: PinShape; active: boolean; onUnpin: (() => void) | null }) {
  return (
    <div className={classes.pinned}>
      <Pin size={13} aria-hidden />
      <Text size="xs" component="div" flex={1} miw={0}>
        <span className={classes.hidden}>Pinned: </span>
        <UserText lines={2}>{pin.content}</UserText>
      </Text>
      <span className={classes.quiet}>{pin.derived ? "by a rule" : pin.pin_type}</span>
      {onUnpin && <Act label="Unpin" icon={PinOff} tabIndex={active ? 0 : -1} onClick={onUnpin} />}
    </div>
  );
}
