/** Pages of todos in the cache, changed as the service will change them. */
import type { Shape } from "../../api/client";
import type { Todo } from "./due";

export interface TodoPages {
  pages: Shape<"TodosShape">[];
  pageParams: unknown[];
}

/** What of a todo changes; null: it goes. */
export interface Changed {
  todo: Todo;
  to: Partial<Pick<Todo, "text" | "kind" | "status" | "due_at">> | null;
}

export function withChange(cached: TodoPages, { todo, to }: Changed): TodoPages {
  const kept = (item: Todo) => (item.id !== todo.id ? [item] : to === null ? [] : [{ ...item, ...to }]);
  return { ...cached, pages: cached.pages.map((page) => ({ ...page, todos: page.todos.flatMap(kept) })) };
}
