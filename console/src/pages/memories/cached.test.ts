import { describe, expect, it } from "vitest";
import { withEdit } from "./cached";

const changed = { memory_id: "a", edit: { pinned: true } };
const a = { memory_id: "a", pinned: false };
const b = { memory_id: "b", pinned: false };

describe("withEdit", () => {
  it("changes the one memory wherever it is shown", () => {
    const there = { memory_id: "a", pinned: true };
    expect(withEdit(a, changed)).toEqual(there);
    expect(withEdit({ memories: [b, a], cards: [] }, changed)).toEqual({ memories: [b, there], cards: [] });
    expect(withEdit({ pages: [{ memories: [a] }, { memories: [b] }], pageParams: [""] }, changed)).toEqual({
      pages: [{ memories: [there] }, { memories: [b] }],
      pageParams: [""],
    });
  });

  it("leaves everything else as it is", () => {
    for (const other of [b, undefined, null, { history: [] }, { total: 3 }])
      expect(withEdit(other, changed)).toEqual(other);
  });
});
