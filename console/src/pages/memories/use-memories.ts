/**
 * What this page asks about memories, and how it changes them. All keys start alike, so that a change shows at once wherever
 * the memory is, and goes back everywhere when the service refuses.
 */
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { api, take } from "../../api/client";
import { usePages } from "../../api/pages";
import { useOptimistic } from "../../parts/use-optimistic";
import { type Changed, MEMORIES, withEdit } from "./cached";
import { type Filter, listed, searched } from "./filter";

/** Memories of a page of the list, and of an answer to a search. */
const PAGE = 60;
const HITS = 30;

export function listAsked(filter: Filter) {
  const query = listed(filter, PAGE);
  return [
    "/memories",
    query,
    (at: { cursor?: string }) => api.GET("/memories", { params: { query: { ...query, ...at } } }),
  ] as const;
}

export function useList(filter: Filter) {
  return usePages(...listAsked(filter));
}

export function useSearch(filter: Filter) {
  const query = searched(filter, HITS);
  return useQuery({
    queryKey: [...MEMORIES, "search", query],
    queryFn: () => take(api.GET("/memories/search", { params: { query } })),
    placeholderData: keepPreviousData,
    enabled: Boolean(filter.q),
  });
}

export function useOne(memoryId: string, enabled = true) {
  return useQuery({
    queryKey: [...MEMORIES, "one", memoryId],
    queryFn: () => take(api.GET("/memories/{memory_id}", { params: { path: { memory_id: memoryId } } })),
    enabled,
  });
}

export function useHistory(memoryId: string) {
  return useQuery({
    queryKey: [...MEMORIES, "history", memoryId],
    queryFn: () =>
      take(api.GET("/memories/{memory_id}/history", { params: { path: { memory_id: memoryId } } })),
  });
}

/** Everything that a changed memory may change besides itself. */
export const AROUND = [
  ["get", "/memories/stats"],
  ["get", "/v1/proposals"],
  ["get", "/v1/entities"],
];

export function useEdit(done?: string) {
  return useOptimistic({
    send: ({ memory_id, edit }: Changed) =>
      take(
        api.PATCH("/memories/{memory_id}", {
          params: { path: { memory_id } },
          body: { ...edit, reason: "" },
        }),
      ),
    of: MEMORIES,
    change: withEdit,
    also: AROUND,
    ...(done ? { done } : {}),
  });
}
