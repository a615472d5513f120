/** Server-sent events of an answer to a POST; the browser's own `EventSource` can only GET, and shows no token. */
import { check, identity } from "./client";
import { Unreachable } from "./errors";

export interface ServerEvent {
  event: string;
  data: unknown;
}

/** Ask, and give the events one by one as they come; ends with the answer, or by the signal. */
export async function* ask(path: string, body: unknown, signal?: AbortSignal): AsyncGenerator<ServerEvent> {
  const asked = fetch(path, {
    method: "POST",
    headers: { "Content-Type": "application/json", Accept: "text/event-stream", ...identity() },
    body: JSON.stringify(body),
    ...(signal ? { signal } : {}),
  });
  const response = await check(
    await asked.catch((error: unknown) => {
      throw error instanceof DOMException ? error : new Unreachable();
    }),
  );
  if (response.body) yield* events(response.body);
}

/** The events in a stream of bytes, wherever the bytes were cut. */
export async function* events(bytes: ReadableStream<Uint8Array>): AsyncGenerator<ServerEvent> {
  const reader = bytes.getReader();
  const decoder = new TextDecoder();
  let rest = "";
  try {
    for (;;) {
      const { done, value } = await reader.read();
      rest += done ? decoder.decode() : decoder.decode(value, { stream: true });
      // A carriage return at the end may be half of a line's end.
      const held = !done && rest.endsWith("\r") ? "\r" : "";
      const blocks = (held ? rest.slice(0, -1) : rest).replace(/\r\n?/g, "\n").split("\n\n");
      rest = (blocks.pop() ?? "") + held;
      for (const block of blocks) {
        const found = read(block);
        if (found) yield found;
      }
      if (done) return;
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

/** One block of lines; comments and blocks without data are nothing. */
function read(block: string): ServerEvent | null {
  let event = "message";
  const data: string[] = [];
  for (const line of block.split("\n")) {
    const [field, value] = parted(line);
    if (field === "event") event = value;
    if (field === "data") data.push(value);
  }
  return data.length ? { event, data: JSON.parse(data.join("\n")) } : null;
}

function parted(line: string): [string, string] {
  const at = line.indexOf(":");
  return at < 0 ? [line, ""] : [line.slice(0, at), line.slice(at + 1).replace(/^ /, "")];
}
