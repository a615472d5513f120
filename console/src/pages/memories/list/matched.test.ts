import { describe, expect, it } from "vitest";
import type { Explain } from "../memory";
import { matchedBy, ordinal, termsOf } from "./matched";

const explain: Explain = {
  similarity: 0.7,
  recency: 0.4,
  frequency: 0,
  plausibility: 1,
  vector_rank: 1,
  text_rank: 22,
  cosine: 0.386,
  bm25: 0.97,
  asked: false,
  sources: [],
};

describe("why a memory was found", () => {
  it("names the arms that brought it, with the places", () => {
    expect(matchedBy(explain)).toBe("by meaning (1st) and words (22nd)");
    expect(matchedBy({ ...explain, vector_rank: null })).toBe("by words (22nd)");
    expect(matchedBy({ ...explain, text_rank: null, vector_rank: null })).toBe("by its entity");
    expect(matchedBy({ ...explain, asked: true })).toBe("asked for by its key");
  });

  it("has four terms in the order of the formula", () => {
    expect(termsOf(explain).map(({ name, value }) => [name, value])).toEqual([
      ["similarity", 0.7],
      ["recency", 0.4],
      ["frequency", 0],
      ["plausibility", 1],
    ]);
    expect(termsOf(explain)[0]?.meaning).toBe("meaning 0.39 and words 0.97");
  });

  it("counts as people do", () => {
    expect([1, 2, 3, 4, 11, 12, 21, 103].map(ordinal)).toEqual([
      "1st",
      "2nd",
      "3rd",
      "4th",
      "11th",
      "12th",
      "21st",
      "103rd",
    ]);
  });
});
