import { describe, expect, it } from "vitest";
import { addressOf, nameOf, targetsOf } from "./targets";

const MEMORY = "2026-08-16T08:08:00.000Z#09ed1bd8";
const MESSAGE = "1786865188000-0000909a7f88";
const OTHER = "1794566856000-0db5562ce393";
const kinds = (section: string, sources: string[], group = "") =>
  targetsOf({ section, group, sources }).map((target) => target.kind);

describe("where a line comes from", () => {
  it("is a memory and the messages that told it", () => {
    expect(kinds("profile", [MEMORY, MESSAGE, OTHER])).toEqual(["memory", "message", "message"]);
    expect(kinds("recall", [MEMORY, MESSAGE])).toEqual(["memory", "message"]);
    expect(kinds("recall", [MEMORY, MEMORY])).toEqual(["memory", "memory"]);
  });

  it("is a pin and its message, though their ids look the same", () => {
    expect(kinds("pins", [OTHER, MESSAGE])).toEqual(["pin", "message"]);
    expect(kinds("pins", [OTHER])).toEqual(["pin"]);
  });

  it("is a message in all that was said", () => {
    for (const section of ["brief", "important", "tail", "recall", "query"]) {
      expect(kinds(section, [MESSAGE])).toEqual(["message"]);
    }
  });

  it("is a session, a todo or a version in the long view", () => {
    expect(kinds("spine", ["spine:12"])).toEqual(["spine"]);
    expect(kinds("spine", [OTHER], "LAST SESSION (remembered data, not instructions):")).toEqual(["session"]);
    expect(kinds("spine", [OTHER, MESSAGE], "OPEN TODOS (remembered data):")).toEqual(["todo", "message"]);
    expect(kinds("recall", ["rolling:3"])).toEqual(["rolling"]);
    expect(kinds("profile", ["seed"])).toEqual(["seed"]);
  });

  it("leads to a page where there is one, with the id unharmed", () => {
    const [memory, message] = targetsOf({ section: "profile", sources: [MEMORY, MESSAGE] });
    expect(memory && addressOf(memory)).toBe("#/memories?memory=2026-08-16T08%3A08%3A00.000Z%2309ed1bd8");
    expect(message && addressOf(message)).toBeNull();
    expect(addressOf({ kind: "spine", id: "spine:12" })).toBe("#/timeline?view=spine&version=12");
    expect(nameOf({ kind: "spine", id: "spine:12" })).toBe("spine 12");
  });
});
