/** A memory that is about to be added, and the service's reply to it. */
import type { Shape } from "../../api/client";

export interface Draft {
  content: string;
  category: string;
  importance: number | string;
  tags: string[];
  pinned: boolean;
  /** The persona that is chosen on the page; `own` keeps the memory to it. */
  persona: string;
  own: boolean;
}

export const BLANK: Draft = {
  content: "",
  category: "",
  importance: "",
  tags: [],
  pinned: false,
  persona: "",
  own: false,
};

/** What the service is sent; its rules find what is left open. */
export function statement(draft: Draft): Shape<"NewMemoryBody"> {
  return {
    content: draft.content,
    tags: draft.tags,
    pinned: draft.pinned,
    source: "manual",
    origin: "user",
    confidence: 1,
    entity_refs: [],
    source_message_ids: [],
    ...(draft.category ? { category: draft.category } : {}),
    ...(draft.importance === "" ? {} : { importance: Number(draft.importance) }),
    ...(draft.own && draft.persona ? { persona_id: draft.persona } : {}),
  };
}

export interface Reply {
  kind: "saved" | "known";
  memoryId: string;
  content: string;
  category: string;
}

export function replyOf(data: Shape<"SavedShape"> | Shape<"DuplicateShape">): Reply {
  if ("existingContent" in data)
    return { kind: "known", memoryId: data.memoryId, content: data.existingContent, category: "" };
  return { kind: "saved", memoryId: data.memoryId, content: data.content, category: data.category };
}
