/** What the playground sends: how it is set up, as bodies of the two ways to talk. */
import type { Shape } from "../../api/client";

export interface Setup {
  model: string;
  persona: string;
  instructions: string;
  /** Passages, with an empty line between two. */
  sources: string;
  budget: number;
  /** The model may save memories by itself. */
  tools: boolean;
  /** No model is asked. */
  contextOnly: boolean;
}

/** Messages of the chat that a client of OpenAI's protocol sends along; what is older the service remembers. */
const SENT = 20;

export function passages(sources: string): string[] {
  return sources
    .split(/\n\s*\n/)
    .map((passage) => passage.trim())
    .filter(Boolean);
}

/** The body for `/v1/message`, or `/v1/message/first` without a chat. */
export function messageBody(text: string, chat: string, setup: Setup): Record<string, unknown> {
  const found = passages(setup.sources);
  return {
    text,
    budget: setup.budget,
    ...(chat ? { chat_id: chat } : {}),
    ...(setup.model ? { model: setup.model } : {}),
    ...(setup.persona ? { persona_id: setup.persona } : {}),
    ...(setup.instructions.trim() ? { instructions: setup.instructions.trim() } : {}),
    ...(found.length ? { sources: found } : {}),
  };
}

export interface SaidMessage {
  role: string;
  content: string | null;
  tool_calls?: unknown[];
  tool_call_id?: string;
}

/**
 * The messages for `/v1/chat/completions`: instructions, passages, what was said last, and the question. Whatever the user
 * says there since the assistant spoke is new to the service, so what stands in the chat without an answer is told aside.
 */
export function completionMessages(
  text: string,
  setup: Setup,
  before: Pick<Shape<"MessageShape">, "role" | "text">[],
): SaidMessage[] {
  const found = passages(setup.sources);
  const said = before.filter(({ role }) => role === "user" || role === "assistant").slice(-SENT);
  const answered = said.findLastIndex(({ role }) => role === "assistant") + 1;
  const open = said.slice(answered).map(({ text: words }) => words);
  const told = [
    setup.instructions.trim(),
    found.length
      ? `Passages to answer from:\n${found.map((passage, at) => `[${at + 1}] ${passage}`).join("\n")}`
      : "",
    open.length ? `The user said before, and was not answered:\n${open.join("\n")}` : "",
  ].filter(Boolean);
  return [
    ...(told.length ? [{ role: "system", content: told.join("\n\n") }] : []),
    ...said.slice(0, answered).map(({ role, text: content }) => ({ role, content })),
    { role: "user", content: text },
  ];
}

/** The headers that go with them. They take Latin-1 only, and the service reads their bytes as UTF-8. */
export function completionHeaders(chat: string, setup: Setup): Record<string, string> {
  const latin = (value: string) => String.fromCharCode(...new TextEncoder().encode(value));
  return {
    "X-Chat-Id": latin(chat),
    "X-Recollect-Budget": String(setup.budget),
    ...(setup.persona ? { "X-Persona-Id": latin(setup.persona) } : {}),
  };
}

/** The id of a chat that begins here: nobody else has it. */
export function newChat(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(9));
  return `playground-${Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("")}`;
}

/** The names in a list of models, which is whatever the model's server says. */
export function modelNames(listed: unknown): string[] {
  const data = listed && typeof listed === "object" && "data" in listed ? listed.data : [];
  if (!Array.isArray(data)) return [];
  const names = data.map((item: unknown) =>
    item && typeof item === "object" && "id" in item && typeof item.id === "string" ? item.id : "",
  );
  return [...new Set(names.filter(Boolean))];
}
