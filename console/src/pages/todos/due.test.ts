import { describe, expect, it } from "vitest";
import { fromField, isOverdue, rowsByDue, stretchOf, type Todo, toField } from "./due";

const NOW = new Date(2026, 2, 4, 12, 0);

function todo(id: string, due: Date | null, status = "open"): Todo {
  return {
    id,
    text: id,
    due_at: due?.toISOString() ?? null,
    status,
    kind: "thread",
    persona_id: null,
    source_message_ids: [],
    created_at: NOW.toISOString(),
    updated_at: NOW.toISOString(),
  };
}

describe("stretchOf", () => {
  it.each([
    [new Date(2026, 2, 4, 11, 59), "Overdue"],
    [new Date(2026, 2, 4, 23, 59), "Today"],
    [new Date(2026, 2, 5, 0, 1), "Next seven days"],
    [new Date(2026, 2, 12), "Later"],
    [null, "Without a date"],
  ])("puts %s under %s", (due, stretch) => {
    expect(stretchOf(todo("a", due), NOW)).toBe(stretch);
  });

  it("calls nothing late that is not open", () => {
    expect(isOverdue(todo("a", new Date(2020, 1, 1), "done"), NOW)).toBe(false);
  });
});

describe("rowsByDue", () => {
  it("shows the most urgent first, with headings only where something is", () => {
    const rows = rowsByDue(
      [
        todo("none", null),
        todo("late", new Date(2026, 2, 3)),
        todo("later", new Date(2027, 0, 1)),
        todo("latest", new Date(2026, 2, 1)),
      ],
      NOW,
    );
    expect(rows.map((row) => ("todo" in row ? row.todo.id : `${row.heading} ${row.count}`))).toEqual([
      "Overdue 2",
      "latest",
      "late",
      "Later 1",
      "later",
      "Without a date 1",
      "none",
    ]);
  });
});

describe("fields", () => {
  it("gives back the minute that it was given", () => {
    expect(toField(fromField("2026-03-04T18:05"))).toBe("2026-03-04T18:05");
    expect(toField(null)).toBe("");
    expect(fromField("")).toBeNull();
    expect(fromField("nonsense")).toBeNull();
  });
});
