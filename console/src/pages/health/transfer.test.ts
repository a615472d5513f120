import { describe, expect, it } from "vitest";
import { contents, fileName } from "./transfer";

describe("contents", () => {
  it("counts what is there", () => {
    expect(
      contents('{"recollect": 1, "memories": [{}, {}], "chats": [], "todos": [{}], "seed": {}}'),
    ).toEqual([
      ["memories", 2],
      ["todos", 1],
    ]);
  });

  it.each(["", "# What is remembered", "[]", "null", '{"name": "other"}'])(
    "knows that %s is none",
    (written) => {
      expect(contents(written)).toBeNull();
    },
  );
});

describe("fileName", () => {
  it("takes the service's word, but no path", () => {
    expect(fileName('attachment; filename="recollect-2026-01-28.json"', "x")).toBe(
      "recollect-2026-01-28.json",
    );
    expect(fileName('attachment; filename="../x"', "x.json")).toBe("x.json");
    expect(fileName(null, "x.json")).toBe("x.json");
  });
});
