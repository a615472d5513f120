import { describe, expect, it } from "vitest";
import { type TodoPages, withChange } from "./cached";
import type { Todo } from "./due";

const item = (id: string) => ({ id, text: id, status: "open" }) as Todo;
const cached: TodoPages = {
  pages: [
    { todos: [item("a"), item("b")], next_cursor: "x" },
    { todos: [item("c")], next_cursor: null },
  ],
  pageParams: ["", "x"],
};

describe("withChange", () => {
  it("changes one todo, on whatever page it is", () => {
    const after = withChange(cached, { todo: item("c"), to: { status: "done" } });
    expect(after.pages.flatMap((page) => page.todos.map((todo) => todo.status))).toEqual([
      "open",
      "open",
      "done",
    ]);
    expect(cached.pages[1]?.todos[0]?.status).toBe("open");
  });

  it("takes away what was deleted, and nothing else", () => {
    const after = withChange(cached, { todo: item("b"), to: null });
    expect(after.pages.flatMap((page) => page.todos.map((todo) => todo.id))).toEqual(["a", "c"]);
  });
});
