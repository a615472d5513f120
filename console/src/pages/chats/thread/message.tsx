/** One message: who said what and when, how much it matters, what is pinned of it, and what can be done with it. */
import { Skeleton } from "@mantine/core";
import { Pencil, Pin, PinOff, Trash2 } from "lucide-react";
import { memo } from "react";
import type { Shape } from "../../../api/client";
import { Name } from "../../../parts/name";
import { exactly, onDay } from "../../../parts/relative-time";
import { UserText } from "../../../parts/user-text";
import { MessageEditor } from "./message-editor";
import { heat } from "./rows";
import classes from "./thread.module.css";
import type { Message } from "./use-messages";

type PinShape = Shape<"PinShape">;

export interface MessageActs {
  edit: (id: string | null) => void;
  save: (change: { message: Message; text: string }) => void;
  pin: (message: Message) => void;
  remove: (message: Message) => void;
  unpin: (pin: PinShape) => void;
}

interface MessageRowProps {
  message: Message | null | undefined;
  /** The one at the position before, as far as it is known. */
  before: Message | null | undefined;
  /** What is pinned of it. */
  pins: PinShape[] | undefined;
  folded: boolean;
  /** Its buttons can be reached with Tab. */
  active: boolean;
  editing: boolean;
  /** null: whoever looks may not change anything. */
  acts: MessageActs | null;
}

const SPEAKERS: Record<string, string> = {
  user: "User",
  assistant: "Assistant",
  system: "System",
  tool: "Tool",
};
const clock = new Intl.DateTimeFormat("en-GB", { timeStyle: "short" });
const scores = new Intl.NumberFormat("en", { maximumFractionDigits: 1 });

/**
 * Kept as it is while the thread scrolls, and made of plain elements: rows come and go with every turn of the wheel, and
 * the library's components, its tooltips above all, took most of that time.
 */
export const MessageRow = memo(function MessageRow(props: MessageRowProps) {
  const { message, before, folded, active, editing, acts } = props;
  if (message === null) return null;
  if (message === undefined) {
    return (
      <div className={classes.message}>
        <Skeleton h={10} w={90} mb={8} />
        <Skeleton h={12} w="70%" />
      </div>
    );
  }
  const score = scores.format(message.importance_score);
  return (
    <>
      {before && onDay(before.created_at) !== onDay(message.created_at) && (
        <div className={`${classes.quiet} ${classes.day}`}>{onDay(message.created_at)}</div>
      )}
      <div className={classes.message} data-role={message.role} data-folded={folded || undefined}>
        <span
          className={classes.heat}
          style={{ "--heat": `${heat(message.importance_score)}%` } as React.CSSProperties}
          title={`importance ${score}`}
        />
        <div className={classes.meta}>
          <span className={classes.speaker}>
            <Name most={80}>{message.name ?? SPEAKERS[message.role] ?? message.role}</Name>
          </span>
          <time dateTime={message.created_at} title={exactly(message.created_at)} className={classes.quiet}>
            {clock.format(new Date(message.created_at))}
          </time>
          <span className={`${classes.quiet} ${classes.score}`}>importance {score}</span>
          {acts && !editing && <Buttons message={message} active={active} acts={acts} />}
        </div>
        {editing && acts ? (
          <MessageEditor
            text={message.text}
            onCancel={() => acts.edit(null)}
            onSave={(text) => {
              acts.edit(null);
              if (text !== message.text) acts.save({ message, text });
            }}
          />
        ) : (
          <div className={classes.said}>
            <UserText>{message.text}</UserText>
          </div>
        )}
        {props.pins?.map((pin) => (
          <Pinned key={pin.id} pin={pin} active={active} onUnpin={acts ? () => acts.unpin(pin) : null} />
        ))}
      </div>
    </>
  );
});

function Buttons({ message, active, acts }: { message: Message; active: boolean; acts: MessageActs }) {
  const tabIndex = active ? 0 : -1;
  return (
    <div className={classes.buttons} data-active={active || undefined}>
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
    </div>
  );
}

function Act(props: { label: string; icon: typeof Pin; tabIndex: number; onClick: () => void }) {
  return (
    <button
      type="button"
      className={classes.act}
      aria-label={props.label}
      title={props.label}
      tabIndex={props.tabIndex}
      onClick={props.onClick}
    >
      <props.icon size={14} aria-hidden />
    </button>
  );
}

function Pinned({ pin, active, onUnpin }: { pin: PinShape; active: boolean; onUnpin: (() => void) | null }) {
  return (
    <div className={classes.pinned}>
      <Pin size={13} aria-hidden />
      <div className={classes.pinnedText}>
        <span className={classes.hidden}>Pinned: </span>
        <UserText lines={2}>{pin.content}</UserText>
      </div>
      <span className={classes.quiet}>{pin.derived ? "by a rule" : pin.pin_type}</span>
      {onUnpin && <Act label="Unpin" icon={PinOff} tabIndex={active ? 0 : -1} onClick={onUnpin} />}
    </div>
  );
}
