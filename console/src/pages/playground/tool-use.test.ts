import { describe, expect, it } from "vitest";
import { answered, argumentsOf, begun, SAID } from "./tool-use";

const USE = begun("1", { content: "User likes tea", category: "preference" });

describe("answered", () => {
  it("tells what was saved, as the store has it", () => {
    const result = {
      success: true,
      message: "Memory saved successfully",
      content: "User likes green tea",
      category: "fact",
    };
    const use = answered(USE, { text: "✓ Memory stored", result, is_error: false });
    expect(use).toEqual({
      id: "1",
      state: "saved",
      content: "User likes green tea",
      category: "fact",
      message: "Memory saved successfully",
    });
    expect(SAID[use.state]).toBe("Saved to memory");
  });

  it("tells of what was known already, and which memory it is like", () => {
    const text = "Similar memory already exists: User drinks tea";
    const use = answered(USE, { text, result: { success: false, duplicate: true }, is_error: false });
    expect([SAID[use.state], use.message]).toEqual(["Already saved", text]);
  });

  it("tells why it was refused", () => {
    const result = { success: false, error: "content must have 10-500 characters." };
    const use = answered(USE, { text: "no", result, is_error: true });
    expect([SAID[use.state], use.message]).toEqual([
      "Failed to save",
      "content must have 10-500 characters.",
    ]);
  });
});

describe("argumentsOf", () => {
  it.each(["", "{", "[]", "null", '"text"'])("does not believe %s", (written) => {
    expect(argumentsOf(written)).toBeNull();
  });

  it("reads what is there", () => {
    expect(argumentsOf('{"content": "User likes tea", "category": 7}')).toEqual({
      content: "User likes tea",
      category: "",
      reasoning: "",
    });
  });
});
