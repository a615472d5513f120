import { describe, expect, it } from "vitest";
import { linesOf, said, until } from "./changes";

describe("linesOf", () => {
  it("says what a field was and what it became", () => {
    expect(
      linesOf({ old: { importance: 8, tags: [] }, new: { importance: 9.126, tags: ["a", "b"] } }),
    ).toEqual([
      { field: "importance", old: "8", new: "9.13" },
      { field: "tags", old: "", new: "a, b" },
    ]);
  });

  it("shows what came new and what went", () => {
    expect(linesOf({ old: { persona_id: "coach" }, new: { content: "User sails" } })).toEqual([
      { field: "persona", old: "coach", new: "" },
      { field: "content", old: "", new: "User sails" },
    ]);
  });

  it("leaves out what reads the same", () => {
    expect(
      linesOf({
        old: { importance: 8.001, pinned: false, updated_at: "a" },
        new: { importance: 8, pinned: true, updated_at: "b" },
      }),
    ).toEqual([{ field: "pinned", old: "no", new: "yes" }]);
  });

  it("spells anything", () => {
    expect(said({ entityType: "person" })).toBe('{"entityType":"person"}');
  });
});

describe("until", () => {
  it("ends with the moment that is looked at", () => {
    const entries = [{ at: "2026-01-01T00:00:00Z" }, { at: "2026-01-03T00:00:00Z" }];
    expect(until(entries, "2026-01-02T00:00:00Z")).toEqual([entries[0]]);
    expect(until(entries, "")).toEqual(entries);
  });
});
