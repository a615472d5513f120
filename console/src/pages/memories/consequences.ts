/** What goes with a memory when it is forgotten, read before anything is erased. */
import { api, take } from "../../api/client";
import { named } from "../../parts/bidi";
import type { Memory } from "./memory";

export interface Consequences {
  /** Older versions of it, and memories that were folded into it. */
  older: Pick<Memory, "memory_id" | "content">[];
  history: number;
  proposals: number;
  /** Who or what nothing else mentions. */
  entities: string[];
}

type Pointing = Pick<Memory, "memory_id" | "content" | "superseded_by" | "folded_into">;

/** Those that led to a memory, however far back. */
export function olderThan<Item extends Pointing>(memoryId: string, all: Item[]): Item[] {
  const found = new Map<string, Item>();
  const waiting = [memoryId];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    for (const item of all) {
      if (item.memory_id === memoryId || found.has(item.memory_id)) continue;
      if (item.superseded_by !== next && item.folded_into !== next) continue;
      found.set(item.memory_id, item);
      waiting.push(item.memory_id);
    }
  }
  return [...found.values()];
}

/** In sentences, each about one kind. */
export function told({ older, history, proposals, entities }: Consequences): string[] {
  return [
    older.length ? `${count(older.length, "older version")} that it replaced or took in` : "",
    history ? `${count(history, "history entry", "history entries")}` : "",
    proposals ? count(proposals, "proposal about it", "proposals about it") : "",
    entities.length
      ? `the ${entities.length > 1 ? "entities" : "entity"} ${names(entities)}, which nothing else mentions`
      : "",
  ].filter(Boolean);
}

/** Names that fit into a sentence. */
function names(labels: string[]): string {
  const shown = labels.slice(0, 5).map((label) => named(label, 60));
  return shown.join(", ") + (labels.length > 5 ? ` and ${labels.length - 5} more` : "");
}

export function count(number: number, one: string, many = `${one}s`): string {
  return `${number.toLocaleString("en")} ${number === 1 ? one : many}`;
}

/** The most that the service gives at once. */
const PAGE = 500;

async function everything(): Promise<Memory[]> {
  const found: Memory[] = [];
  let cursor: string | null = null;
  do {
    const at: { cursor?: string } = cursor ? { cursor } : {};
    const query = { limit: PAGE, status: "any", past: true, ...at };
    const page = await take(api.GET("/memories", { params: { query } }));
    found.push(...page.memories);
    cursor = page.next_cursor;
  } while (cursor);
  return found;
}

export async function consequencesOf(memory: Memory): Promise<Consequences> {
  const path = { memory_id: memory.memory_id };
  const [all, history, proposals] = await Promise.all([
    everything(),
    take(api.GET("/memories/{memory_id}/history", { params: { path } })),
    take(api.GET("/v1/proposals", { params: { query: { status: "any", limit: PAGE } } })),
  ]);
  const older = olderThan(memory.memory_id, all);
  const going = new Set([memory.memory_id, ...older.map((item) => item.memory_id)]);
  const left = new Set(all.filter((item) => !going.has(item.memory_id)).flatMap((item) => item.entity_refs));
  return {
    older,
    history: history.history.length,
    proposals: proposals.proposals.filter((item) => item.memory_ids.some((id) => going.has(id))).length,
    entities: memory.entity_refs.filter((key) => !left.has(key)).map(nameOf),
  };
}

/** `person:adam_rosén` as people write it. */
export function nameOf(key: string): string {
  return key.slice(key.indexOf(":") + 1).replaceAll("_", " ");
}
