/**
 * The three ways that a message takes from the playground: to a model that answers, to one that may save memories, and to
 * none, where what it would be sent is shown instead. Each tells of the turn through `update`.
 */
import { api, type Shape, take } from "../../api/client";
import { ask } from "../../api/events";
import { converse, type Update } from "./converse";
import { completionMessages, messageBody, newChat, type Setup } from "./request";
import { heard, type Turn } from "./turn";

type Context = Shape<"ContextShape">;
type Message = Shape<"MessageShape">;

export interface Way {
  /** The chat in which it will stand; empty: the service says which. */
  chat: string;
  /** Context preview, where none is asked. */
  go: (update: Update, signal: AbortSignal) => Promise<Context | null>;
}

/** The way for this message; `chat` is empty where a new one begins. */
export function taken(text: string, chat: string, setup: Setup, before: Message[]): Way {
  if (setup.contextOnly) {
    const here = chat || newChat();
    // Only what was recorded stands somewhere.
    return { chat, go: (update) => showContext(text, here, setup, update) };
  }
  if (setup.tools) {
    const here = chat || newChat();
    const go: Way["go"] = async (update, signal) => {
      // The chat is there when the first event is.
      const there = (change: (turn: Turn) => Turn) => update((last) => ({ ...change(last), chat: here }));
      await converse(completionMessages(text, setup, before), here, setup, there, signal);
      return null;
    };
    return { chat: here, go };
  }
  return { chat, go: (update, signal) => answer(text, chat, setup, update, signal) };
}

async function answer(text: string, chat: string, setup: Setup, update: Update, signal: AbortSignal) {
  const path = chat ? "/v1/message" : "/v1/message/first";
  for await (const event of ask(path, messageBody(text, chat, setup), signal))
    update((last) => heard(last, event));
  return null;
}

/** Record what was said, and ask what a model would be sent now. */
async function showContext(text: string, here: string, setup: Setup, update: Update): Promise<Context> {
  const persona = setup.persona ? { persona_id: setup.persona } : {};
  const recorded = await take(
    api.POST("/v1/chats/{chat_id}/messages", {
      params: { path: { chat_id: here } },
      body: { messages: [{ role: "user", text }], ...persona },
    }),
  );
  update((turn) => ({ ...turn, chat: here, asked: recorded.messages[0]?.id ?? "" }));
  const context = await take(
    api.GET("/api/memory/context/{session_id}", {
      params: { path: { session_id: here }, query: { budget: setup.budget, record: false, ...persona } },
    }),
  );
  update((turn) => ({ ...turn, state: "completed" }));
  return context;
}

/** What is waited for, unless somebody leaves before. */
export function unlessLeft<Value>(signal: AbortSignal, value: Value | Promise<Value>): Promise<Value> {
  return new Promise((resolve, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason), { once: true });
    Promise.resolve(value).then(resolve, reject);
  });
}
