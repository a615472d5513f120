import { describe, expect, it } from "vitest";
import { fileName, look } from "./transfer";

describe("look", () => {
  it("counts what an export of Recollect holds", () => {
    const written = '{"recollect": 1, "memories": [{}, {}], "chats": [], "todos": [{}], "seed": {}}';
    expect(look(written)).toEqual({
      type: "application/json",
      parts: [
        ["memories", 2],
        ["todos", 1],
      ],
    });
  });

  it.each(['[{"mapping": {}}]', '{"results": [{"memory": "User keeps bees"}]}'])(
    "leaves it to the service whose %s is",
    (written) => {
      expect(look(written)).toEqual({ type: "application/json", parts: null });
    },
  );

  it("knows lines, also when a later one is broken", () => {
    const written = '\n{"content": "User keeps bees"}\n{"content": "User\n';
    expect(look(written)).toEqual({ type: "application/x-ndjson", parts: null });
  });

  it.each(["", "# What is remembered", "null", "1\n2", "PK\u0003"])("knows that %j is none", (written) => {
    expect(look(written)).toBeNull();
  });
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
