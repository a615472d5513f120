import { describe, expect, it } from "vitest";
import type { Shape } from "../../../api/client";
import { erased, onlyFrom, rederived } from "./follows";

const receipt = (kinds: Partial<Shape<"ReceiptShape">>, refolded: string[] = []) =>
  erased({
    receipt: {
      memories: 0,
      messages: 1,
      summaries: 0,
      pins: 0,
      todos: 0,
      vectors: 0,
      erased_from_disk: true,
      ...kinds,
    },
    disk: "",
    refolded,
  });

describe("what follows from a change of a message", () => {
  it("goes with it when no other message tells it, and stays otherwise", () => {
    const one = { source_message_ids: ["a"] };
    const two = { source_message_ids: ["a", "b"] };
    const other = { source_message_ids: ["b"] };
    expect(onlyFrom([one, two, other, { source_message_ids: [] }], "a")).toEqual({
      gone: [one],
      kept: [two],
    });
  });

  it("is told from the receipt", () => {
    expect(receipt({})).toBe("Deleted.");
    expect(receipt({ memories: 1 })).toBe("Deleted with 1 memory.");
    expect(receipt({ memories: 2, pins: 1, todos: 3 }, ["chat"])).toBe(
      "Deleted with 2 memories, 1 pin and 3 todos. Its summary is written anew.",
    );
  });

  it("is told after an edit", () => {
    const nothing = { removed_pins: [], added_pins: [], refolded: 0, removed: [], added: [] };
    expect(rederived(nothing)).toBe("Saved.");
    expect(rederived({ ...nothing, removed_pins: ["p"], added_pins: ["q", "r"], refolded: 1 })).toBe(
      "Saved; 1 pin went, 2 pins came and 1 summary will be written anew.",
    );
  });
});
