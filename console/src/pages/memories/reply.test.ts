import { describe, expect, it } from "vitest";
import { BLANK, replyOf, statement } from "./reply";

describe("a statement", () => {
  it("leaves to the rules what nobody chose", () => {
    const said = statement({ ...BLANK, content: "I prefer tea.", persona: "coach" });
    expect(said).not.toHaveProperty("category");
    expect(said).not.toHaveProperty("importance");
    expect(said).not.toHaveProperty("persona_id");
  });

  it("says what was chosen, and 0 is a choice", () => {
    const chosen = { category: "fact", importance: 0, persona: "coach", own: true, pinned: true };
    expect(statement({ ...BLANK, content: "I prefer tea.", ...chosen })).toMatchObject({
      category: "fact",
      importance: 0,
      persona_id: "coach",
      pinned: true,
    });
  });
});

describe("a reply", () => {
  it("is saved or known", () => {
    const saved = {
      success: true,
      message: "",
      memoryId: "1",
      content: "User prefers tea.",
      category: "fact",
    };
    expect(replyOf(saved).kind).toBe("saved");
    const known = {
      success: false,
      duplicate: true,
      message: "",
      memoryId: "1",
      existingContent: "User likes tea.",
    };
    expect(replyOf(known)).toEqual({
      kind: "known",
      memoryId: "1",
      content: "User likes tea.",
      category: "",
    });
  });
});
