import { describe, expect, it } from "vitest";
import { nameOf, olderThan, told } from "./consequences";

function made(memory_id: string, superseded_by: string | null, folded_into: string | null = null) {
  return { memory_id, content: memory_id, superseded_by, folded_into };
}

describe("what goes with a memory", () => {
  it("is everything that led to it", () => {
    const all = [made("a", "b"), made("b", "c"), made("c", null), made("d", null, "b"), made("e", null)];
    expect(olderThan("c", all).map((item) => item.memory_id)).toEqual(["b", "a", "d"]);
    expect(olderThan("e", all)).toEqual([]);
  });

  it("ends where memories point at each other", () => {
    expect(olderThan("a", [made("a", "b"), made("b", "a")]).map((item) => item.memory_id)).toEqual(["b"]);
  });

  it("is told in words, and only what there is", () => {
    expect(told({ older: [], history: 0, proposals: 0, entities: [] })).toEqual([]);
    expect(told({ older: [made("a", null)], history: 2, proposals: 1, entities: ["Ann", "Bo"] })).toEqual([
      "1 older version that it replaced or took in",
      "2 history entries",
      "1 proposal about it",
      "the entities Ann, Bo, which nothing else mentions",
    ]);
  });

  it("does not list names without end", () => {
    const [line] = told({ older: [], history: 0, proposals: 0, entities: "abcdefgh".split("") });
    expect(line).toBe("the entities a, b, c, d, e and 3 more, which nothing else mentions");
  });

  it("names an entity as people write it", () => {
    expect(nameOf("person:adam_rosén")).toBe("adam rosén");
  });
});
