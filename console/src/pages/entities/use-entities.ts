/** Every entity, page by page; all pages when what is asked needs them: the service itself does not search names. */
import { useEffect, useMemo } from "react";
import { api } from "../../api/client";
import { usePages } from "../../api/pages";

/** As many as the service gives at once. */
const PAGE = 500;

export function useEntities({ type = "", whole = false }: { type?: string; whole?: boolean } = {}) {
  const filter = { limit: PAGE, ...(type ? { type } : {}) };
  const asked = usePages("/v1/entities", filter, (at) =>
    api.GET("/v1/entities", { params: { query: { ...filter, ...at } } }),
  );
  const { more, hasNextPage, isFetching } = asked;
  useEffect(() => {
    if (whole && hasNextPage && !isFetching) more();
  }, [whole, hasNextPage, isFetching, more]);
  const entities = useMemo(() => asked.data?.pages.flatMap((page) => page.entities), [asked.data]);
  return { data: entities, error: asked.error, refetch: asked.refetch, more, hasNextPage };
}

/** Merges that wait for a decision. */
export function useProposals() {
  const filter = { limit: 50 };
  const asked = usePages("/v1/entities/proposals", filter, (at) =>
    api.GET("/v1/entities/proposals", { params: { query: { ...filter, ...at } } }),
  );
  const proposals = useMemo(() => asked.data?.pages.flatMap((page) => page.proposals), [asked.data]);
  return {
    data: proposals,
    error: asked.error,
    refetch: asked.refetch,
    more: asked.more,
    hasNextPage: asked.hasNextPage,
  };
}
