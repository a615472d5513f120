/** What can be done with messages and pins: each shows at once where that is honest, and goes back when it is refused. */
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useCallback } from "react";
import { api, type Shape, take } from "../../../api/client";
import { useConfirm } from "../../../parts/confirm";
import { tellDone, tellFailed } from "../../../parts/notify";
import { useOptimistic } from "../../../parts/use-optimistic";
import { erased, rederived } from "./follows";
import { Follows } from "./follows-list";
import type { Message } from "./use-messages";

type Pin = Shape<"PinShape">;
type Pins = Shape<"PinsShape">;

const MESSAGES = ["get", "/v1/chats/{chat_id}/messages"];
const PINS = ["get", "/api/memory/pins"];
const CONTEXT = ["get", "/api/memory/context/{session_id}"];
const SUMMARIES = ["get", "/api/memory/summaries"];
const CHATS = [
  ["get", "/v1/chats"],
  ["get", "/v1/chats/{chat_id}"],
  ["get", "/v1/chats/{chat_id}/brief"],
];
const MEMORIES = ["get", "/memories"];

export interface NewPin {
  message: Message;
  content: string;
  importance: number;
}

export function useActs(chat: string) {
  const confirm = useConfirm();
  const cache = useQueryClient();

  const save = useOptimistic({
    send: ({ message, text }: { message: Message; text: string }) =>
      take(
        api.PATCH("/v1/messages/{message_id}", {
          params: { path: { message_id: message.id } },
          body: { text },
        }),
      ).then((answer) => tellDone(rederived(answer.rederived))),
    of: MESSAGES,
    change: (cached: Shape<"MessagesShape">, { message, text }) => ({
      ...cached,
      messages: cached.messages.map((item) => (item.id === message.id ? { ...item, text } : item)),
    }),
    also: [PINS, CONTEXT, SUMMARIES, MEMORIES],
  });

  const pin = useOptimistic({
    send: ({ message, content, importance }: NewPin) =>
      api.POST("/api/memory/pins", {
        body: {
          session_id: chat,
          content,
          source_message_id: message.id,
          importance_score: importance,
          pin_type: "manual",
        },
      }),
    of: PINS,
    change: (cached: Pins, { message, content, importance }) => ({
      pins: [...cached.pins, provisional(chat, message, content, importance)],
    }),
    also: [CONTEXT],
    done: "Pinned. The model will always see this.",
  });

  const unpin = useOptimistic({
    send: (gone: Pin) => api.DELETE("/api/memory/pins/{pin_id}", { params: { path: { pin_id: gone.id } } }),
    of: PINS,
    change: (cached: Pins, gone) => ({ pins: cached.pins.filter((item) => item.id !== gone.id) }),
    also: [CONTEXT],
    done: "Unpinned. The message stays.",
  });

  // Nothing is shown before it is true: what goes with a message only the receipt says.
  const erase = useMutation({
    mutationFn: (message: Message) =>
      take(api.DELETE("/v1/messages/{message_id}", { params: { path: { message_id: message.id } } })),
    onSuccess: (receipt) => tellDone(erased(receipt)),
    onError: tellFailed,
    onSettled: () => {
      for (const key of [MESSAGES, PINS, CONTEXT, SUMMARIES, MEMORIES, ...CHATS, ["get", "/v1/jobs"]]) {
        void cache.invalidateQueries({ queryKey: key });
      }
    },
  });

  const remove = useCallback(
    async (message: Message, pins: Pin[], folded: boolean) => {
      const sure = await confirm({
        title: "Delete this message?",
        body: <Follows message={message} pins={pins} folded={folded} />,
        verb: "Delete",
      });
      if (sure) erase.mutate(message);
    },
    [confirm, erase.mutate],
  );

  return { save: save.mutate, pin: pin.mutate, unpin: unpin.mutate, remove };
}

function provisional(chat: string, message: Message, content: string, importance: number): Pin {
  return {
    id: `provisional ${message.id}`,
    session_id: chat,
    content,
    source_message_id: message.id,
    importance_score: importance,
    pin_type: "manual",
    created_at: new Date().toISOString(),
    derived: false,
    tokens: 0,
  };
}
