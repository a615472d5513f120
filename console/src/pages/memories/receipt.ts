/** A receipt in lines: what was erased, counted, in words. */
import type { Shape } from "../../api/client";
import { count } from "./consequences";

const WORDS: Record<string, [one: string, many: string]> = {
  memories: ["memory", "memories"],
  messages: ["message", "messages"],
  summaries: ["summary", "summaries"],
  history: ["entry of its history", "entries of its history"],
  entities: ["entity", "entities"],
  answers: ["stored answer", "stored answers"],
  spines: ["version of the spine", "versions of the spine"],
  vectors: ["vector", "vectors"],
};

/** Kinds of which there was nothing are left out. */
export function receiptLines(receipt: Shape<"ReceiptShape">): string[] {
  return Object.entries(receipt).flatMap(([kind, value]) => {
    if (typeof value !== "number" || value === 0) return [];
    const name = kind.replaceAll("_", " ");
    const [one, many] = WORDS[kind] ?? [name.replace(/s$/, ""), name];
    return [count(value, one, many)];
  });
}
