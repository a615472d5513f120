/** Todos as the service has them, and what can be done with them. */
import { useQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import { api, take } from "../../api/client";
import { usePages } from "../../api/pages";
import { named } from "../../parts/bidi";
import { tellUndo } from "../../parts/tell-undo";
import { useOptimistic } from "../../parts/use-optimistic";
import { type Changed, type TodoPages, withChange } from "./cached";
import type { Todo } from "./due";

const PATH = "/v1/todos";
/** Todos that are asked for at once, and when one of them is looked for. */
const SIZE = 200;
const LOOKED_AT = 1000;

export const KINDS = ["commitment", "habit", "thread", "friction"];

export interface TodoFilter {
  status: string;
  kind: string;
  persona: string | null;
}

/** Those that pass a filter. What is open is asked for to the end: the most urgent may be the oldest. */
export function useTodos({ status, kind, persona }: TodoFilter) {
  const filter = {
    limit: SIZE,
    status,
    ...(kind ? { kind } : {}),
    ...(persona ? { persona_id: persona } : {}),
  };
  const found = usePages(PATH, filter, (at) => api.GET(PATH, { params: { query: { ...filter, ...at } } }));
  const { more, data } = found;
  // biome-ignore lint/correctness/useExhaustiveDependencies: each page that came leads to the next
  useEffect(() => {
    if (status === "open") more();
  }, [status, more, data]);
  // A change shows before the service has sorted it elsewhere.
  const todos = data?.pages.flatMap((page) => page.todos).filter((todo) => todo.status === status);
  return { ...found, todos };
}

/** The one that an address names, however it stands; the service lists todos only, so it is looked for in the list. */
export function useOne(id: string) {
  return useQuery({
    queryKey: ["get", PATH, "one", id],
    queryFn: () => findOne(id),
    enabled: Boolean(id),
  });
}

/** As pages of one todo or none, so that a change reaches it as it reaches the others. */
async function findOne(id: string): Promise<TodoPages> {
  let cursor: string | null = null;
  do {
    const query: { limit: number; cursor?: string } = { limit: LOOKED_AT, ...(cursor ? { cursor } : {}) };
    const page: TodoPages["pages"][number] = await take(api.GET(PATH, { params: { query } }));
    const found = page.todos.filter((todo) => todo.id === id);
    if (found.length) return { pages: [{ todos: found, next_cursor: null }], pageParams: [] };
    cursor = page.next_cursor;
  } while (cursor);
  return { pages: [], pageParams: [] };
}

/** Change a todo, or delete it; what it was can be had back, unless it was deleted. */
export function useChange() {
  const change = useOptimistic({
    send: ({ todo, to }: Changed): Promise<unknown> => {
      const params = { path: { todo_id: todo.id } };
      return to
        ? api.PATCH("/v1/todos/{todo_id}", { params, body: to })
        : api.DELETE("/v1/todos/{todo_id}", { params });
    },
    of: ["get", PATH],
    change: (cached: TodoPages, input) => withChange(cached, input),
  });

  function mark(todo: Todo, status: string) {
    const back = () => change.mutate({ todo: { ...todo, status }, to: { status: todo.status } });
    const said = { done: "Done", dropped: "Dropped", open: "Open again" }[status] ?? status;
    // Its row is gone by then, and with it whatever `mutate` would call.
    change.mutateAsync({ todo, to: { status } }).then(
      () => tellUndo(`${said}: ${shown(todo)}`, back),
      () => undefined,
    );
  }

  return { change, mark };
}

/** A few words by which a todo is recognised, in a label or a sentence. */
export function shown(todo: Pick<Todo, "text">): string {
  return named(todo.text, 70);
}
