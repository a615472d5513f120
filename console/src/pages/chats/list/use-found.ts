/**
 * What was said about something, whichever persona it was said to. The service searches as one persona, which knows its own
 * chats and those of nobody's; so each is asked, and the best of all are shown.
 */
import { keepPreviousData, useQueries } from "@tanstack/react-query";
import { useMemo } from "react";
import { $api, type Shape } from "../../../api/client";
import type { Asked } from "../../../parts/answer";
import { usePersonas } from "../../../parts/persona-select";
import { best } from "./filter";

const MOST = 20;
/** Personas that are asked; whoever has more chooses one above. */
const PERSONAS = 8;

export function useFound(search: string, persona: string | null): Asked<Shape<"EpisodeShape">[]> {
  const personas = usePersonas(persona === null);
  const asked = persona === null ? (personas.data?.slice(0, PERSONAS) ?? []) : [persona];
  const answers = useQueries({
    queries: (asked.length ? asked : [null]).map((one) => ({
      ...$api.queryOptions("get", "/memories/search", {
        params: {
          query: {
            query: search.slice(0, 500),
            limit: 1,
            episodes: MOST,
            neighbours: 0,
            record: false,
            ...(one === null ? {} : { persona_id: one }),
          },
        },
      }),
      enabled: persona !== null || personas.data !== undefined,
      placeholderData: keepPreviousData,
    })),
  });
  const failed = answers.find((answer) => answer.error);
  const done = answers.every((answer) => answer.data);
  const stamp = answers.map((answer) => answer.dataUpdatedAt).join(" ");
  // biome-ignore lint/correctness/useExhaustiveDependencies: the stamp says whether an answer is another one
  const hits = useMemo(
    () =>
      done
        ? best(
            answers.flatMap((answer) => answer.data?.episodes ?? []),
            MOST,
          )
        : undefined,
    [done, stamp, search],
  );
  return {
    data: hits,
    error: personas.error ?? failed?.error ?? null,
    refetch: () => {
      if (personas.error) void personas.refetch();
      for (const answer of answers) if (answer.error) void answer.refetch();
    },
  };
}
