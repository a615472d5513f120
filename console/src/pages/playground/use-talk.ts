/** The talk of the playground: the turn that goes on, and what belongs beside messages that were said. */
import { useQueryClient } from "@tanstack/react-query";
import { useCallback, useEffect, useRef, useState } from "react";
import { api, type Shape, take } from "../../api/client";
import { sentence } from "../../api/errors";
import { ask } from "../../api/events";
import { converse, saved } from "./converse";
import { completionMessages, messageBody, newChat, type Setup } from "./request";
import { threadOf } from "./thread-query";
import { type Arguments, begun, type ToolUse } from "./tool-use";
import { asking, broken, ended, heard, stopped, type Turn } from "./turn";

type Context = Shape<"ContextShape">;
type Message = Shape<"MessageShape">;

/** What belongs beside a message of the user. */
export interface Beside {
  uses: ToolUse[];
  context: Context | null;
}

const NOTHING: Beside = { uses: [], context: null };

export function useTalk(chat: string, setChat: (chat: string) => void) {
  const cache = useQueryClient();
  const [turn, setTurn] = useState<Turn | null>(null);
  const [beside, setBeside] = useState<Record<string, Beside>>({});
  const control = useRef<AbortController | null>(null);
  const shown = useRef(chat);
  useEffect(() => {
    shown.current = chat;
  }, [chat]);
  const leave = useCallback(() => {
    control.current?.abort();
    control.current = null;
  }, []);
  useEffect(() => leave, [leave]);

  /** The chat has an address now; whoever has gone elsewhere meanwhile is not called back. */
  function lead(there: string) {
    if (shown.current === chat && there !== chat) setChat(there);
  }

  const put = useCallback((message: string, change: (before: Beside) => Beside) => {
    setBeside((all) => ({ ...all, [message]: change(all[message] ?? NOTHING) }));
  }, []);

  /** Ask for the thread again; what the turn was about is found in it. */
  async function settle(last: Turn, here = last.chat) {
    void cache.invalidateQueries({ queryKey: ["get", "/v1/jobs/mine"] });
    void cache.invalidateQueries({ queryKey: ["get", "/v1/chats"] });
    if (!here) return;
    const { messages } = await cache.fetchQuery({ ...threadOf(here), staleTime: 0 });
    lead(here);
    const asked =
      last.asked ||
      messages.findLast(({ role, text }) => role === "user" && text === last.question.trim())?.id ||
      "";
    if (asked && last.uses.length)
      put(asked, (before) => ({ ...before, uses: [...before.uses, ...last.uses] }));
    setTurn(last.state === "completed" ? null : { ...last, chat: here, asked, uses: [] });
  }

  async function answer(text: string, setup: Setup, before: Message[]): Promise<boolean> {
    leave();
    const stop = new AbortController();
    control.current = stop;
    const here = setup.tools ? chat || newChat() : chat;
    let now = asking(text, chat);
    const update = (change: (turn: Turn) => Turn) => {
      const next = change(now);
      const found = next.chat !== now.chat;
      now = next;
      if (control.current !== stop) return;
      if (found) lead(now.chat);
      setTurn(now);
    };
    update((first) => first);
    try {
      if (setup.tools) {
        // The chat is there when the first event is.
        const there = (change: (turn: Turn) => Turn) => update((last) => ({ ...change(last), chat: here }));
        await converse(completionMessages(text, setup, before), here, setup, there, stop.signal);
      } else {
        const path = chat ? "/v1/message" : "/v1/message/first";
        for await (const event of ask(path, messageBody(text, chat, setup), stop.signal))
          update((last) => heard(last, event));
      }
      update(ended);
    } catch (error) {
      update((last) => (stop.signal.aborted ? stopped(last) : broken(last, sentence(error))));
    }
    if (control.current !== stop) return true;
    const kept = await settle(now, now.chat || here).then(
      () => Boolean(now.chat || here),
      () => false,
    );
    return kept || now.state !== "failed";
  }

  /** Without a model: record what was said, and show what a model would be sent now. */
  async function show(text: string, setup: Setup): Promise<boolean> {
    const here = chat || newChat();
    const persona = setup.persona ? { persona_id: setup.persona } : {};
    setTurn(asking(text, here));
    try {
      const recorded = await take(
        api.POST("/v1/chats/{chat_id}/messages", {
          params: { path: { chat_id: here } },
          body: { messages: [{ role: "user", text }], ...persona },
        }),
      );
      const context = await take(
        api.GET("/api/memory/context/{session_id}", {
          params: { path: { session_id: here }, query: { budget: setup.budget, ...persona } },
        }),
      );
      const asked = recorded.messages[0]?.id ?? "";
      put(asked, (before) => ({ ...before, context }));
      await settle({ ...asking(text, here), asked, state: "completed" });
      return true;
    } catch (error) {
      setTurn((last) => last && broken(last, sentence(error)));
      return false;
    }
  }

  /** Save by hand what a message says; the tool links it to the user's last words, so only those name the chat. */
  async function save(message: Message, given: Arguments, last: boolean, persona: string) {
    const use = begun(`${message.id}-${Date.now()}`, given);
    put(message.id, (before) => ({ ...before, uses: [...before.uses, use] }));
    const after = await saved(use, { ...given }, last ? message.session_id : "", persona);
    put(message.id, (before) => ({
      ...before,
      uses: before.uses.map((item) => (item.id === use.id ? after : item)),
    }));
    void cache.invalidateQueries({ queryKey: ["get", "/memories"] });
  }

  return {
    turn: turn && (turn.chat === chat || !turn.chat) ? turn : null,
    beside,
    send: (text: string, setup: Setup, before: Message[]) =>
      setup.contextOnly ? show(text, setup) : answer(text, setup, before),
    stop: () => control.current?.abort(),
    look: () => (turn ? settle({ ...turn, state: "completed" }) : Promise.resolve()),
    leave: () => {
      leave();
      setTurn(null);
    },
    save,
  };
}
