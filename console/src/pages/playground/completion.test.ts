import { describe, expect, it } from "vitest";
import { type Call, completionEvents, gathered, pieceOf } from "./completion";

const call = (index: number, part: object) => ({
  choices: [{ delta: { tool_calls: [{ index, ...part }] } }],
});

async function read(...chunks: Uint8Array[]): Promise<unknown[]> {
  const stream = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(chunk);
      controller.close();
    },
  });
  const found: unknown[] = [];
  for await (const event of completionEvents(stream)) found.push(event);
  return found;
}

describe("completionEvents", () => {
  it("reads events wherever the bytes were cut, to the end", async () => {
    const bytes = new TextEncoder().encode(
      ': hello\n\ndata: {"a": "Grüße 🌍"}\r\n\r\ndata: {"b": 2}\n\ndata: [DONE]\n\n',
    );
    for (let at = 0; at <= bytes.length; at++) {
      expect(await read(bytes.slice(0, at), bytes.slice(at))).toEqual([{ a: "Grüße 🌍" }, { b: 2 }]);
    }
  });
});

describe("pieceOf", () => {
  it("finds words and errors, and nothing in nonsense", () => {
    expect(pieceOf({ choices: [{ delta: { content: "Hi" } }] }).words).toBe("Hi");
    expect(pieceOf({ error: { message: "Too long." } }).error).toBe("Too long.");
    for (const nonsense of [null, 3, [], { choices: "x" }, { choices: [null] }]) {
      expect(pieceOf(nonsense)).toEqual({ words: "", calls: [], error: "" });
    }
  });
});

describe("gathered", () => {
  it("puts two calls together that come in pieces", () => {
    const pieces = [
      call(0, { id: "a", function: { name: "saveMemory", arguments: '{"con' } }),
      call(1, { id: "b", function: { name: "saveMemory", arguments: "{}" } }),
      call(0, { function: { arguments: 'tent": "x"}' } }),
    ];
    expect(pieces.map(pieceOf).reduce(gathered, [] as Call[])).toEqual([
      { id: "a", name: "saveMemory", arguments: '{"content": "x"}' },
      { id: "b", name: "saveMemory", arguments: "{}" },
    ]);
  });
});
