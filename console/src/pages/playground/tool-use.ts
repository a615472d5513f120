/** A use of the tool that saves a memory, as people see it: what is saved, how it stands, and what came of it. */
import type { Shape } from "../../api/client";

export type ToolState = "running" | "saved" | "known" | "failed";

export interface ToolUse {
  id: string;
  state: ToolState;
  content: string;
  category: string;
  /** What the tool said; empty while it runs. */
  message: string;
}

export const SAID: Record<ToolState, string> = {
  running: "Saving to memory…",
  saved: "Saved to memory",
  known: "Already saved",
  failed: "Failed to save",
};

export interface Arguments {
  content: string;
  category: string;
  reasoning: string;
}

/** The arguments of a call as a model wrote them, which may be anything; null: they cannot be read. */
export function argumentsOf(written: string): Arguments | null {
  try {
    const given: unknown = JSON.parse(written);
    if (!given || typeof given !== "object" || Array.isArray(given)) return null;
    const text = (name: string) => {
      const value = (given as Record<string, unknown>)[name];
      return typeof value === "string" ? value : "";
    };
    return { content: text("content"), category: text("category"), reasoning: text("reasoning") };
  } catch {
    return null;
  }
}

export function begun(id: string, given: Pick<Arguments, "content" | "category">): ToolUse {
  return { id, state: "running", content: given.content, category: given.category, message: "" };
}

/** Status once the tool has answered. */
export function answered(use: ToolUse, reply: Shape<"ToolReplyShape">): ToolUse {
  const told = (name: string, otherwise: string) => {
    const value = reply.result[name];
    return typeof value === "string" && value ? value : otherwise;
  };
  if (reply.is_error || "error" in reply.result) return failed(use, told("error", reply.text));
  if (reply.result["duplicate"] === true) return { ...use, state: "known", message: reply.text };
  return {
    ...use,
    state: "saved",
    content: told("content", use.content),
    category: told("category", use.category),
    message: told("message", reply.text),
  };
}

export function failed(use: ToolUse, why: string): ToolUse {
  return { ...use, state: "failed", message: why };
}
