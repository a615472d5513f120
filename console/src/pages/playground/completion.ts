/**
 * A streamed chat completion of OpenAI's protocol, as far as the playground needs it: words and calls of tools.
 *
 * The service carries out the calls of its own tools unseen, so the playground offers the tool itself, as any client may:
 * then the calls arrive here, are shown, and are carried out through `/v1/tools`.
 */
import { check, identity } from "../../api/client";
import { ApiError, Unreachable } from "../../api/errors";

export interface Call {
  id: string;
  name: string;
  arguments: string;
}

export interface Piece {
  words: string;
  calls: (Partial<Call> & { place: number })[];
  error: string;
}

type Fields = Record<string, unknown>;

function fields(value: unknown): Fields {
  return value && typeof value === "object" ? (value as Fields) : {};
}

function text(value: unknown): string {
  return typeof value === "string" ? value : "";
}

/** What one event says. */
export function pieceOf(event: unknown): Piece {
  const said = fields(event);
  const choices = Array.isArray(said["choices"]) ? said["choices"] : [];
  const delta = fields(fields(choices[0])["delta"]);
  const calls = Array.isArray(delta["tool_calls"]) ? delta["tool_calls"].map(fields) : [];
  return {
    words: text(delta["content"]),
    error: "error" in said ? text(fields(said["error"])["message"]) || "The model failed." : "",
    calls: calls.map((call) => ({
      place: typeof call["index"] === "number" ? call["index"] : 0,
      id: text(call["id"]),
      name: text(fields(call["function"])["name"]),
      arguments: text(fields(call["function"])["arguments"]),
    })),
  };
}

/** Calls put together from their pieces. */
export function gathered(calls: Call[], piece: Piece): Call[] {
  const all = [...calls];
  for (const { place, id = "", name = "", arguments: written = "" } of piece.calls) {
    const before = all[place] ?? { id: "", name: "", arguments: "" };
    all[place] = {
      id: before.id || id || `call_${place}`,
      name: before.name || name,
      arguments: before.arguments + written,
    };
  }
  return all;
}

/** The events in the bytes of such a stream; its last line, `[DONE]`, is none. */
export async function* completionEvents(bytes: ReadableStream<Uint8Array>): AsyncGenerator<unknown> {
  const reader = bytes.getReader();
  const decoder = new TextDecoder();
  let rest = "";
  try {
    for (;;) {
      const { done, value } = await reader.read();
      rest += done ? `${decoder.decode()}\n` : decoder.decode(value, { stream: true });
      const lines = rest.split("\n");
      rest = lines.pop() ?? "";
      for (const line of lines) {
        const data = /^data:(.*)$/.exec(line.trim())?.[1]?.trim();
        if (data && data !== "[DONE]") yield JSON.parse(data);
      }
      if (done) return;
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

/** Ask, and give the events as they come. Errors have OpenAI's form here. */
export async function* complete(
  body: unknown,
  headers: Record<string, string>,
  signal: AbortSignal,
): AsyncGenerator<unknown> {
  const response = await fetch("/v1/chat/completions", {
    method: "POST",
    headers: { "Content-Type": "application/json", ...identity(), ...headers },
    body: JSON.stringify(body),
    signal,
  }).catch((error: unknown) => {
    throw error instanceof DOMException ? error : new Unreachable();
  });
  if (!response.ok && response.status !== 401) {
    const said = fields(fields(await response.json().catch(() => null))["error"]);
    throw new ApiError(
      response.status,
      text(said["message"]) || `The service answered ${response.status}.`,
      response.headers.get("X-Request-Id"),
    );
  }
  await check(response);
  if (response.body) yield* completionEvents(response.body);
}
