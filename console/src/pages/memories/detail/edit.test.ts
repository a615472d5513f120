import { describe, expect, it } from "vitest";
import { editOf, wordsFault } from "./edit";

const before = { content: "User sails at weekends", category: "fact", importance: 6, tags: ["sea"] };

describe("an edit", () => {
  it("holds only what is different", () => {
    expect(editOf(before, { ...before, importance: 7, content: ` ${before.content} ` })).toEqual({
      importance: 7,
    });
    expect(editOf(before, { ...before, tags: ["sea", "boat"], category: "skill" })).toEqual({
      tags: ["sea", "boat"],
      category: "skill",
    });
    expect(editOf(before, { ...before, tags: [] })).toEqual({ tags: [] });
  });

  it("is none when all is as it was", () => {
    expect(editOf(before, { ...before })).toBeNull();
  });
});

describe("words", () => {
  it("have a length that the service takes", () => {
    expect(wordsFault("too short")).toBe("At least 10 characters.");
    expect(wordsFault("long enough")).toBeNull();
    expect(wordsFault("🙂".repeat(500))).toBeNull();
    expect(wordsFault("x".repeat(501))).toContain("At most 500");
  });
});
