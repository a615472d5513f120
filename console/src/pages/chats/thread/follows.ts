/** What hangs on a message, and what became of it: sentences for the question before a change, and for the word after it. */
import type { Shape } from "../../../api/client";
import { many } from "../../../parts/many";

export interface Hanging {
  pins: readonly Pick<Shape<"PinShape">, "content">[];
  memories: readonly Pick<Shape<"MemoryShape">, "content" | "source_message_ids">[];
  /** A folded segment holds the message. */
  folded: boolean;
}

export function listed(parts: readonly string[]): string {
  if (parts.length < 2) return parts[0] ?? "";
  return `${parts.slice(0, -1).join(", ")} and ${parts.at(-1)}`;
}

/** Memories that no other message tells go with it; the others only lose it as a source. */
export function onlyFrom<Memory extends { source_message_ids: string[] }>(
  memories: readonly Memory[],
  messageId: string,
): { gone: Memory[]; kept: Memory[] } {
  const told = memories.filter((memory) => memory.source_message_ids.includes(messageId));
  const gone = told.filter((memory) => memory.source_message_ids.every((id) => id === messageId));
  return { gone, kept: told.filter((memory) => !gone.includes(memory)) };
}

/** What a deletion did, from its receipt. */
export function erased({ receipt, refolded }: Shape<"ForgottenShape">): string {
  const kinds = [
    receipt.memories && many(receipt.memories, "memory", "memories"),
    receipt.pins && many(receipt.pins, "pin"),
    receipt.todos && many(receipt.todos, "todo"),
  ].filter((part): part is string => Boolean(part));
  const with_ = kinds.length ? ` with ${listed(kinds)}` : "";
  return `Deleted${with_}.${refolded.length ? " Its summary is written anew." : ""}`;
}

/** What an edit did. */
export function rederived({ removed_pins, added_pins, refolded }: Shape<"RederivedShape">): string {
  const parts = [
    removed_pins.length && `${many(removed_pins.length, "pin")} went`,
    added_pins.length && `${many(added_pins.length, "pin")} came`,
    refolded && `${many(refolded, "summary", "summaries")} will be written anew`,
  ].filter((part): part is string => Boolean(part));
  return parts.length ? `Saved; ${listed(parts)}.` : "Saved.";
}
