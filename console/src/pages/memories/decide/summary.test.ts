import { describe, expect, it } from "vitest";
import { summary } from "./summary";

const nothing = { folds: [], archived: [], raised: [], proposals: [], merged: [] };

describe("a run in one line", () => {
  it("is empty when nothing is done", () => {
    expect(summary(nothing)).toBe("");
  });

  it("counts what is done", () => {
    expect(summary({ ...nothing, folds: [1], archived: [1, 2], proposals: [1] })).toBe(
      "1 fold of duplicates, 2 archived, 1 decision for you",
    );
  });
});
