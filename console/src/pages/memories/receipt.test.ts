import { describe, expect, it } from "vitest";
import { receiptLines } from "./receipt";

describe("a receipt", () => {
  it("counts what there was, also kinds that nobody has a word for", () => {
    const receipt = {
      memories: 2,
      messages: 0,
      summaries: 1,
      pins: 1,
      todos: 0,
      vectors: 1,
      message_vectors: 3,
      erased_from_disk: true,
    };
    expect(receiptLines(receipt)).toEqual([
      "2 memories",
      "1 summary",
      "1 pin",
      "1 vector",
      "3 message vectors",
    ]);
  });
});
