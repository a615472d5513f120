import { describe, expect, it } from "vitest";
import { countFolded, type Filter, isFiltered, listed, NAMES, searched, startOf } from "./filter";

const none = Object.fromEntries(NAMES.map((name) => [name, ""])) as Filter;

describe("what the service is asked", () => {
  it("is nothing but a page when nothing is filtered", () => {
    expect(listed(none, 50)).toEqual({ limit: 50 });
    expect(isFiltered(none)).toBe(false);
  });

  it("names every filter that is set", () => {
    const filter = {
      ...none,
      category: "fact",
      tag: "x",
      entity: "person:jo",
      persona: "coach",
      status: "any",
    };
    expect(listed(filter, 50)).toEqual({
      limit: 50,
      category: "fact",
      tag: "x",
      entity: "person:jo",
      persona_id: "coach",
      status: "any",
    });
    expect(searched({ ...filter, q: "tea" }, 20)).toEqual({
      query: "tea",
      limit: 20,
      episodes: 0,
      record: false,
      category: "fact",
      tag: ["x"],
      entity: "person:jo",
      persona_id: "coach",
    });
  });

  it("asks for what was replaced only when told to", () => {
    expect(listed({ ...none, status: "past" }, 5)).toEqual({ limit: 5, status: "any", past: true });
  });

  it("takes the whole of the last day", () => {
    const asked = listed({ ...none, since: "2026-03-01", until: "2026-03-01" }, 5);
    const length = new Date(asked.until ?? "").getTime() - new Date(asked.since ?? "").getTime();
    expect(length).toBe(86_400_000);
  });

  it("ignores what is no day", () => {
    expect(startOf("")).toBe("");
    expect(startOf("20-1-1")).toBe("");
    expect(listed({ ...none, since: "soon" }, 5)).toEqual({ limit: 5 });
  });
});

describe("the number beside the button", () => {
  it("counts what one cannot see", () => {
    expect(countFolded({ ...none, category: "fact", tag: "x", since: "2026-01-01" })).toBe(2);
  });
});
