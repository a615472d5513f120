import { describe, expect, it } from "vitest";
import { reasonKey, rowsOf, sectionKey } from "./lines";

const line = (text: string, group = "") => ({
  text,
  group,
  tokens: 5,
  why: "pinned",
  sources: ["1-a"],
  undated: null,
});
const dropped = (text: string, why: string) => ({
  section: "profile",
  text,
  tokens: 3,
  why,
  sources: [],
  cut: false,
});
const CONTEXT = {
  tokens: 30,
  sections: [
    {
      name: "profile",
      tokens: 20,
      lines: [line("a", "[IDENTITY]"), line("b", "[IDENTITY]"), line("c", "[FACT]")],
    },
    { name: "tail", tokens: 10, lines: [line("User: hello")] },
  ],
  dropped: [dropped("x", "no room"), dropped("y", "no room"), dropped("z", "over its share")],
};
const NONE = new Set<string>();

describe("the rows of the inspector", () => {
  it("are the sections in their order, a heading where another begins, and each line", () => {
    const kinds = rowsOf(CONTEXT, NONE).map((row) => row.kind);
    expect(kinds).toEqual([
      ...["section", "group", "line", "line", "group", "line"],
      ...["section", "line"],
      ...["left-out", "reason", "reason"],
    ]);
  });

  it("say every section's share of what was counted", () => {
    const tokens = rowsOf(CONTEXT, NONE).flatMap((row) => (row.kind === "section" ? [row.tokens] : []));
    expect(tokens).toEqual([20, 10]);
  });

  it("keep a closed section's heading and hide its lines", () => {
    const rows = rowsOf(CONTEXT, new Set([sectionKey("profile")]));
    expect(rows.filter((row) => row.kind === "line")).toHaveLength(1);
    expect(rows[0]).toMatchObject({ kind: "section", title: "Profile", lines: 3, open: false });
  });

  it("gather what was left out by its reason, and show it when that is opened", () => {
    const closed = rowsOf(CONTEXT, NONE).filter((row) => row.kind === "reason");
    expect(closed).toMatchObject([
      { why: "no room", lines: 2, tokens: 6, open: false },
      { why: "over its share", lines: 1, tokens: 3, open: false },
    ]);
    const opened = rowsOf(CONTEXT, new Set([reasonKey("no room")]));
    expect(opened.flatMap((row) => (row.kind === "dropped" ? [row.text] : []))).toEqual(["x", "y"]);
  });

  it("have keys of their own, however often the same words come", () => {
    const twice = { ...CONTEXT, dropped: [dropped("x", "no room"), dropped("x", "no room")] };
    const keys = rowsOf(twice, new Set([reasonKey("no room")])).map((row) => row.key);
    expect(new Set(keys).size).toBe(keys.length);
  });

  it("are few for ten thousand dropped pins, and quickly made", () => {
    const many = {
      ...CONTEXT,
      dropped: Array.from({ length: 10_000 }, (_, at) => dropped(`${at}`, "no room")),
    };
    expect(rowsOf(many, NONE)).toHaveLength(10);
    expect(rowsOf(many, new Set([reasonKey("no room")]))).toHaveLength(10_010);
  });

  it("are none for nothing", () => {
    expect(rowsOf({ sections: [], dropped: [], tokens: 0 }, NONE)).toEqual([]);
  });
});
