/**
 * A change that shows at once and goes back when the service refuses it.
 *
 *   const finish = useOptimistic({
 *     send: (todo: Todo) => api.PATCH("/v1/todos/{todo_id}", { params: { path: { todo_id: todo.id } }, body: { status: "done" } }),
 *     of: ["get", "/v1/todos"],
 *     change: (cached: Todos, todo) => ({ ...cached, todos: cached.todos.map(…) }),
 *     done: "Done.",
 *   });
 *   finish.mutate(todo);
 */
import { type QueryKey, useMutation, useQueryClient } from "@tanstack/react-query";
import { tellDone, tellFailed } from "./notify";

export interface Optimistic<Input, Cached, Data> {
  send: (input: Input) => Promise<Data>;
  /** The start of the keys of the queries that show it. */
  of: QueryKey;
  /** What such a query would answer afterwards. It also gets what other queries with that start hold. */
  change: (cached: Cached, input: Input) => Cached;
  /** What else is asked again afterwards; `of` always is. */
  also?: QueryKey[];
  /** What is told when it is done; nothing, if it is plain to see. */
  done?: string;
}

export function useOptimistic<Input, Cached, Data>(options: Optimistic<Input, Cached, Data>) {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: options.send,
    onMutate: async (input: Input) => {
      await cache.cancelQueries({ queryKey: options.of });
      const before = cache.getQueriesData<Cached>({ queryKey: options.of });
      cache.setQueriesData<Cached>({ queryKey: options.of }, (cached) =>
        cached === undefined ? undefined : options.change(cached, input),
      );
      return before;
    },
    onError: (error, _input, before) => {
      for (const [key, cached] of before ?? []) cache.setQueryData(key, cached);
      tellFailed(error);
    },
    onSuccess: () => {
      if (options.done) tellDone(options.done);
    },
    onSettled: () => {
      for (const key of [options.of, ...(options.also ?? []), ["get", "/v1/jobs"]]) {
        void cache.invalidateQueries({ queryKey: key });
      }
    },
  });
}
