/**
 * A list that is asked for page by page.
 *
 *   const filter = { limit: 50, ...(persona ? { persona_id: persona } : {}) };
 *   const chats = usePages("/v1/chats", filter, (at) => api.GET("/v1/chats", { params: { query: { ...filter, ...at } } }));
 *   chats.data?.pages.flatMap((page) => page.chats);  chats.more();
 *
 * Its key is `["get", path, "pages", filter]`: what invalidates `["get", path]` invalidates it too. The infinite queries of
 * the library beside were rejected: they ask for the first page with a cursor, 0, which the service rightly refuses.
 */
import { infiniteQueryOptions, keepPreviousData, useInfiniteQuery } from "@tanstack/react-query";
import { useCallback } from "react";
import { take } from "./client";

type Ask<Page> = (at: { cursor?: string }) => Promise<{ data?: Page }>;

/** The question itself, for whoever asks ahead: `cache.prefetchInfiniteQuery(pagesOf(…))`. */
export function pagesOf<Page extends { next_cursor: string | null }>(
  path: string,
  filter: Record<string, unknown>,
  ask: Ask<Page>,
) {
  return infiniteQueryOptions({
    queryKey: ["get", path, "pages", filter],
    queryFn: ({ pageParam }) => take(ask(pageParam ? { cursor: pageParam } : {})),
    initialPageParam: "",
    getNextPageParam: (last) => last.next_cursor ?? undefined,
  });
}

export function usePages<Page extends { next_cursor: string | null }>(
  path: string,
  filter: Record<string, unknown>,
  ask: Ask<Page>,
) {
  const asked = useInfiniteQuery({ ...pagesOf(path, filter, ask), placeholderData: keepPreviousData });
  const { hasNextPage, isFetching, fetchNextPage } = asked;
  const more = useCallback(() => {
    if (hasNextPage && !isFetching) void fetchNextPage();
  }, [hasNextPage, isFetching, fetchNextPage]);
  return { ...asked, more };
}
