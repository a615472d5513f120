/** A turn that goes on: what was asked, what has been answered so far, and how it stands. Pure: events in, turns out. */
import type { ServerEvent } from "../../api/events";
import type { ToolUse } from "./tool-use";

export interface Turn {
  question: string;
  chat: string;
  /** The stored message of the user; empty until the service has it. */
  asked: string;
  words: string;
  state: "waiting" | "speaking" | "completed" | "stopped" | "failed";
  error: string;
  uses: ToolUse[];
}

export function asking(question: string, chat: string): Turn {
  return { question, chat, asked: "", words: "", state: "waiting", error: "", uses: [] };
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
