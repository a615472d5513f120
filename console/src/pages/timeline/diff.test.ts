import { describe, expect, it } from "vitest";
import { type Row, sideBySide, stretches, tally } from "./diff";

/** What a side reads as, line by line. */
function side(rows: Row[], which: "before" | "after"): string[] {
  return rows.flatMap((row) => row[which]?.map(({ text }) => text).join("") ?? []);
}

describe("sideBySide", () => {
  const OLD = "- User lives in Gothenburg.\n- User loves old maps.\n- User's bank is Nordea.";
  const NEW = "- User lives in Majorna.\n- User's bank is Nordea.\n- Elin is pregnant!";

  it("says of each line whether it stayed, changed, went or came", () => {
    expect(sideBySide(OLD, NEW).map(({ kind }) => kind)).toEqual(["changed", "gone", "same", "new"]);
  });

  it("loses no line on either side", () => {
    const rows = sideBySide(OLD, NEW);
    expect(side(rows, "before").sort()).toEqual(OLD.split("\n").sort());
    expect(side(rows, "after").sort()).toEqual(NEW.split("\n").sort());
  });

  it("marks the words of a changed line, and only those", () => {
    const [row] = sideBySide(OLD, NEW);
    expect(row?.before?.filter(({ own }) => own).map(({ text }) => text)).toEqual(["Gothenburg"]);
    expect(row?.after?.filter(({ own }) => own).map(({ text }) => text)).toEqual(["Majorna"]);
  });

  it("does not call two lines one that only share a word", () => {
    expect(
      sideBySide("User prefers tea.", "Elin moved to Malmö with Jonas.").map(({ kind }) => kind),
    ).toEqual(["gone", "new"]);
  });

  it("begins with nothing and ends with nothing", () => {
    expect(sideBySide("", "").length).toBe(0);
    expect(tally(sideBySide("", NEW))).toEqual({ come: 3, gone: 0, changed: 0 });
    expect(tally(sideBySide(OLD, ""))).toEqual({ come: 0, gone: 3, changed: 0 });
  });

  it("takes words without end and thousands of lines", () => {
    const long = "x".repeat(100_000);
    expect(sideBySide(long, `${long}y`).map(({ kind }) => kind)).toEqual(["gone", "new"]);
    const many = Array.from({ length: 3000 }, (_, line) => `line ${line}`).join("\n");
    expect(tally(sideBySide(many, `${many}\nlast`))).toEqual({ come: 1, gone: 0, changed: 0 });
  });
});

it("what stayed is put together, so that it can be folded", () => {
  const rows = sideBySide("a\nb\nc\nd", "a\nb\nq\nd");
  expect(stretches(rows).map(({ same, rows: within }) => [same, within.length])).toEqual([
    [true, 2],
    [false, 2],
    [true, 1],
  ]);
});
