/** The talk of the playground: the turn that goes on, and what belongs beside messages that were said. */
import { useQueryClient } from "@tanstack/react-query";
import { useCallback, useEffect, useRef, useState } from "react";
import type { Shape } from "../../api/client";
import { sentence } from "../../api/errors";
import { tellFailed } from "../../parts/notify";
import { type Beside, NOTHING } from "./beside";
import { saved } from "./converse";
import type { Setup } from "./request";
import { threadOf } from "./thread-query";
import { type Arguments, begun } from "./tool-use";
import { askedIn, asking, broken, ended, settled, stopped, type Turn } from "./turn";
import { taken, unlessLeft } from "./ways";

type Message = Shape<"MessageShape">;

export function useTalk(chat: string, setChat: (chat: string) => void) {
  const cache = useQueryClient();
  const [turn, setTurn] = useState<Turn | null>(null);
  const [beside, setBeside] = useState<Record<string, Beside>>({});
  /** Of the turn that is shown; whoever leaves takes it away, and nothing more is shown of that turn. */
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

  const put = useCallback((message: string, change: (before: Beside) => Beside) => {
    setBeside((all) => ({ ...all, [message]: change(all[message] ?? NOTHING) }));
  }, []);

  /** The thread as it is now: one that is on its way may have been read before the reply was stored. */
  const read = useCallback(
    async (here: string): Promise<Message[]> => {
      void cache.invalidateQueries({ queryKey: ["get", "/v1/jobs"] });
      void cache.invalidateQueries({ queryKey: ["get", "/v1/chats"] });
      const thread = threadOf(here);
      await cache.cancelQueries({ queryKey: thread.queryKey });
      return (await cache.fetchQuery({ ...thread, staleTime: 0 })).messages;
    },
    [cache],
  );

  /** Say it; resolves to false when nothing of it was kept. The setup may have to be found out first. */
  async function send(text: string, setup: Setup | Promise<Setup>, before: Message[]): Promise<boolean> {
    leave();
    const stop = new AbortController();
    control.current = stop;
    const isShown = () => control.current === stop;
    let now = asking(text, chat, before.at(-1)?.id);
    /** The chat in which it is looked for afterwards. */
    let here = chat;
    const update = (change: (turn: Turn) => Turn) => {
      const next = change(now);
      const found = next.chat !== now.chat;
      now = next;
      if (!isShown()) return;
      // Whoever has gone elsewhere meanwhile is not called back.
      if (found && shown.current === chat) setChat(now.chat);
      setTurn(now);
    };
    update((first) => first);
    try {
      const known = await unlessLeft(stop.signal, setup);
      const way = taken(text, chat, known, before);
      here = way.chat;
      const context = await way.go(update, stop.signal);
      if (context) put(now.asked, (there) => ({ ...there, context }));
      update(ended);
    } catch (error) {
      update((last) => outcome(last, error, stop.signal));
    }
    if (!isShown()) return true;
    const messages = (now.chat || here) && (await read(now.chat || here).catch(() => null));
    const asked = messages ? askedIn(messages, now) : now.asked;
    if (asked) update((last) => ({ ...last, chat: last.chat || here }));
    // At once: what tools did is shown in one place, before and after.
    if (asked && now.uses.length) put(asked, (there) => ({ ...there, uses: [...there.uses, ...now.uses] }));
    if (isShown()) setTurn(messages === null ? now : settled(now, messages || []));
    return Boolean(asked) || now.state === "completed";
  }

  /** Look whether the answer that was not waited for is there. */
  async function look(): Promise<void> {
    if (!turn) return;
    const messages = await read(turn.chat).catch(tellFailed);
    if (messages) setTurn((last) => (last === turn ? settled(turn, messages) : last));
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
    send,
    stop: () => control.current?.abort(),
    look,
    leave: () => {
      leave();
      setTurn(null);
    },
    save,
  };
}

/** How a turn stands that something ended from outside. */
function outcome(turn: Turn, error: unknown, signal: AbortSignal): Turn {
  if (signal.aborted) return stopped(turn);
  // A stream that is cut says only that: "network error".
  return error instanceof TypeError ? ended(turn) : broken(turn, sentence(error));
}
