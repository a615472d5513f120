/** What the cache holds of memories, changed as the service will change it: one, a list, or pages of lists. */
import type { Edit, Memory } from "./memory";

/** The start of the key of everything that shows a memory. */
export const MEMORIES = ["get", "/memories"] as const;

export interface Changed {
  memory_id: string;
  edit: Edit;
}

export function withEdit(cached: unknown, changed: Changed): unknown {
  if (!cached || typeof cached !== "object") return cached;
  if ("memory_id" in cached)
    return cached.memory_id === changed.memory_id ? { ...cached, ...changed.edit } : cached;
  if ("memories" in cached && Array.isArray(cached.memories))
    return { ...cached, memories: cached.memories.map((item: Memory) => withEdit(item, changed)) };
  if ("pages" in cached && Array.isArray(cached.pages))
    return { ...cached, pages: cached.pages.map((page: unknown) => withEdit(page, changed)) };
  return cached;
}
