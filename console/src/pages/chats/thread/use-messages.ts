/** Messages of a chat by their positions: the blocks that are seen are loaded, others when they come into sight. */
import { keepPreviousData, useQueries } from "@tanstack/react-query";
import { useMemo } from "react";
import { $api, type Shape } from "../../../api/client";
import { BLOCK } from "./rows";

export type Message = Shape<"MessageShape">;

export interface Loaded {
  /** undefined: not loaded yet; null: there is none at this position any more. */
  at: (position: number) => Message | null | undefined;
  error: unknown;
  retry: () => void;
}

export function useMessages(chat: string, blocks: readonly number[]): Loaded {
  const answers = useQueries({
    queries: blocks.map((block) => ({
      ...$api.queryOptions("get", "/v1/chats/{chat_id}/messages", {
        params: { path: { chat_id: chat }, query: { before: (block + 1) * BLOCK + 1, limit: BLOCK } },
      }),
      placeholderData: keepPreviousData,
    })),
    combine: (found) =>
      found.map(({ data, error, refetch, isPlaceholderData }) => ({
        data,
        error,
        refetch,
        isPlaceholderData,
      })),
  });
  return useMemo(() => {
    const known = new Map<number, Message>();
    const read = new Set<number>();
    for (const [index, answer] of answers.entries()) {
      if (!answer.data || answer.isPlaceholderData) continue;
      read.add(blocks[index] ?? -1);
      for (const message of answer.data.messages) known.set(message.position, message);
    }
    const failed = answers.find((answer) => answer.error && !answer.data);
    return {
      at: (position) =>
        known.get(position) ?? (read.has(Math.floor((position - 1) / BLOCK)) ? null : undefined),
      error: failed?.error ?? null,
      retry: () => {
        for (const answer of answers) if (answer.error) void answer.refetch();
      },
    };
  }, [answers, blocks]);
}
