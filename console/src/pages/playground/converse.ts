/**
 * A talk in which the model may save memories by itself: it is asked, its calls are carried out and shown, and it is asked
 * again until it answers.
 */
import { api, take } from "../../api/client";
import { sentence } from "../../api/errors";
import { type Call, complete, gathered, pieceOf } from "./completion";
import { completionHeaders, type SaidMessage, type Setup } from "./request";
import { answered, argumentsOf, begun, failed, type ToolUse } from "./tool-use";
import { broken, spoken, type Turn, withUse } from "./turn";

/** The tool that is offered: S2's own. */
const TOOL = "saveMemory";
/** How often the model may call it before it must answer. */
const ROUNDS = 5;

export type Update = (change: (turn: Turn) => Turn) => void;

export async function converse(
  messages: SaidMessage[],
  chat: string,
  setup: Setup,
  update: Update,
  signal: AbortSignal,
): Promise<void> {
  const { tools } = await take(api.GET("/v1/tools", { params: { query: { format: "openai" } }, signal }));
  const offered = tools.filter((tool) => (tool["function"] as { name?: string })?.name === TOOL);
  const said = [...messages];
  // Servers may give the calls of every turn the same ids.
  const began = Date.now();
  for (let round = 0; round <= ROUNDS; round++) {
    const body = {
      messages: said,
      stream: true,
      tools: offered,
      ...(setup.model ? { model: setup.model } : {}),
      ...(round === ROUNDS ? { tool_choice: "none" } : {}),
    };
    let calls: Call[] = [];
    let words = "";
    for await (const event of complete(body, completionHeaders(chat, setup), signal)) {
      const piece = pieceOf(event);
      if (piece.error) return update((turn) => broken(turn, piece.error));
      calls = gathered(calls, piece);
      // Words of two rounds are two paragraphs.
      const gap = piece.words && !words ? "\n\n" : "";
      words += piece.words;
      update((turn) => spoken(turn, (turn.words ? gap : "") + piece.words));
    }
    if (calls.length === 0) return update((turn) => ({ ...turn, state: "completed" }));
    // A server may count them from one.
    calls = Object.values(calls);
    const asked = calls.map(({ id, name, arguments: written }) => ({
      id,
      type: "function",
      function: { name, arguments: written },
    }));
    said.push({ role: "assistant", content: words || null, tool_calls: asked });
    for (const [place, call] of calls.entries()) {
      const told = await carriedOut(call, `${began}-${round}-${place}`, chat, setup, update);
      said.push({ role: "tool", tool_call_id: call.id, content: told });
    }
  }
  update((turn) => broken(turn, "The model called tools again and again, and did not answer."));
}

/** Carry out one call, shown while it runs; what the model is told of it. */
async function carriedOut(
  call: Call,
  id: string,
  chat: string,
  setup: Setup,
  update: Update,
): Promise<string> {
  const given = argumentsOf(call.arguments);
  let use = begun(id, given ?? { content: call.arguments, category: "" });
  update((turn) => withUse(turn, use));
  if (!given) use = failed(use, "The model's arguments cannot be read.");
  else if (call.name !== TOOL) use = failed(use, `There is no tool ${call.name}.`);
  else use = await saved(use, { ...given }, chat, setup.persona);
  update((turn) => withUse(turn, use));
  return use.message;
}

/** Call the tool; a use that failed is one, too. */
export async function saved(
  use: ToolUse,
  given: Record<string, string>,
  chat: string,
  persona: string,
): Promise<ToolUse> {
  try {
    const reply = await take(
      api.POST("/v1/tools/{name}", {
        params: { path: { name: TOOL } },
        body: {
          arguments: given,
          ...(chat ? { chat_id: chat } : {}),
          ...(persona ? { persona_id: persona } : {}),
        },
      }),
    );
    return answered(use, reply);
  } catch (error) {
    return failed(use, sentence(error));
  }
}
