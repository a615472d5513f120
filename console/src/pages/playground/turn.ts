/** A turn that goes on: what was asked, what has been answered so far, and how it stands. Pure: events in, turns out. */
import type { Shape } from "../../api/client";
import type { ServerEvent } from "../../api/events";
import type { ToolUse } from "./tool-use";

type Message = Pick<Shape<"MessageShape">, "id" | "role" | "text">;

export interface Turn {
  question: string;
  /** Empty: a new one, which the service has not told of yet. */
  chat: string;
  /** The last message before this turn; empty: there is none. */
  after: string;
  /** The stored message of the user; empty until the service has it. */
  asked: string;
  words: string;
  state: "waiting" | "speaking" | "completed" | "stopped" | "failed";
  error: string;
  uses: ToolUse[];
  /** The thread was read again since it was over; until then the turn alone tells what follows its question. */
  settled: boolean;
}

export function asking(question: string, chat: string, after = ""): Turn {
  return {
    question,
    chat,
    after,
    asked: "",
    words: "",
    state: "waiting",
    error: "",
    uses: [],
    settled: false,
  };
}

export function isOver(turn: Turn): boolean {
  return turn.state === "completed" || turn.state === "stopped" || turn.state === "failed";
}

function field(data: unknown, name: string): string {
  const value = data && typeof data === "object" ? (data as Record<string, unknown>)[name] : undefined;
  return typeof value === "string" ? value : "";
}

/** The turn after an event of `/v1/message`. */
export function heard(turn: Turn, { event, data }: ServerEvent): Turn {
  if (event === "chat") return { ...turn, chat: field(data, "chat_id"), asked: field(data, "message_id") };
  if (event === "content.delta") return spoken(turn, field(data, "delta"));
  if (event === "message.completed")
    return { ...turn, words: field(data, "text") || turn.words, state: "completed" };
  if (event === "error") return broken(turn, field(data, "error") || "The model failed.");
  return turn;
}

export function spoken(turn: Turn, words: string): Turn {
  return words ? { ...turn, words: turn.words + words, state: "speaking" } : turn;
}

export function broken(turn: Turn, error: string): Turn {
  return { ...turn, error, state: "failed" };
}

/** The stream is over; one that ended without saying so was cut on the way. */
export function ended(turn: Turn): Turn {
  return isOver(turn) ? turn : broken(turn, "The connection ended before the answer was whole.");
}

export function stopped(turn: Turn): Turn {
  return isOver(turn) ? turn : { ...turn, state: "stopped" };
}

/** The turn with a use of a tool, new or changed. */
export function withUse(turn: Turn, use: ToolUse): Turn {
  const known = turn.uses.some((item) => item.id === use.id);
  return {
    ...turn,
    uses: known ? turn.uses.map((item) => (item.id === use.id ? use : item)) : [...turn.uses, use],
  };
}

/** The message in a thread with which the turn began; empty: it is not there. */
export function askedIn(messages: Message[], turn: Turn): string {
  if (turn.asked) return turn.asked;
  const since = messages.slice(messages.findIndex(({ id }) => id === turn.after) + 1);
  return since.findLast(({ role, text }) => role === "user" && text === turn.question)?.id ?? "";
}

/** Whether a thread holds an answer to a message. */
export function isAnswered(messages: Message[], asked: string): boolean {
  const at = messages.findIndex(({ id }) => id === asked);
  return at >= 0 && messages.slice(at + 1).some(({ role }) => role === "assistant");
}

/** The turn after the thread was read again; null: the thread tells all of it. */
export function settled(turn: Turn, messages: Message[]): Turn | null {
  const asked = askedIn(messages, turn);
  const answered = isAnswered(messages, asked);
  if (turn.state === "completed" && (answered || !turn.words)) return null;
  // What was stopped before it was sent never was.
  if (turn.state === "stopped" && (answered || !asked)) return null;
  return { ...turn, asked, uses: [], settled: true };
}
