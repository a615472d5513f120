import { describe, expect, it } from "vitest";
import { shownBeside } from "./beside";
import { begun } from "./tool-use";

const MESSAGES = [
  { id: "1", role: "user", text: "I like tea." },
  { id: "2", role: "tool", text: "Memory saved successfully" },
  { id: "3", role: "tool", text: "12 degrees" },
  { id: "4", role: "user", text: "And maps." },
  { id: "5", role: "tool", text: "Memory saved successfully" },
];

describe("shownBeside", () => {
  it("names what a use beside the same question says, and nothing else", () => {
    const use = {
      ...begun("a", { content: "User likes tea", category: "" }),
      message: "Memory saved successfully",
    };
    const beside = { "1": { uses: [use], context: null } };
    expect([...shownBeside(MESSAGES, beside)]).toEqual(["2"]);
    expect([...shownBeside(MESSAGES, {})]).toEqual([]);
  });
});
