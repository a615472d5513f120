/** What belongs beside a message of the user: what tools did about it, and what a model would have been sent. */
import type { Shape } from "../../api/client";
import type { ToolUse } from "./tool-use";

export interface Beside {
  uses: ToolUse[];
  context: Shape<"ContextShape"> | null;
}

export const NOTHING: Beside = { uses: [], context: null };

/** Messages of tools that say what a use beside the question says already. */
export function shownBeside(
  messages: Pick<Shape<"MessageShape">, "id" | "role" | "text">[],
  beside: Record<string, Beside>,
): Set<string> {
  const hidden = new Set<string>();
  let uses: ToolUse[] = [];
  for (const { id, role, text } of messages) {
    if (role === "user") uses = beside[id]?.uses ?? [];
    if (role === "tool" && uses.some(({ message }) => message === text)) hidden.add(id);
  }
  return hidden;
}
