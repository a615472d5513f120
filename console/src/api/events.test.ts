import { describe, expect, it } from "vitest";
import { events, type ServerEvent } from "./events";

async function read(...chunks: Uint8Array[]): Promise<ServerEvent[]> {
  const stream = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(chunk);
      controller.close();
    },
  });
  const found: ServerEvent[] = [];
  for await (const event of events(stream)) found.push(event);
  return found;
}

const TEXT =
  'event: chat\ndata: {"chat_id": "c"}\n\n: still here\n\nevent: content.delta\r\ndata: {"delta":\r\ndata: "Grüße 🌍"}\r\n\r\n';
const MEANT = [
  { event: "chat", data: { chat_id: "c" } },
  { event: "content.delta", data: { delta: "Grüße 🌍" } },
];

describe("events", () => {
  it("reads events wherever the bytes were cut", async () => {
    const bytes = new TextEncoder().encode(TEXT);
    for (let at = 0; at <= bytes.length; at++) {
      expect(await read(bytes.slice(0, at), bytes.slice(at))).toEqual(MEANT);
    }
  });

  it("drops what was not finished", async () => {
    expect(await read(new TextEncoder().encode(`${TEXT}data: {"delta": "la`))).toEqual(MEANT);
  });
});
