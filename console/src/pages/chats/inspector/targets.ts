/**
 * Where a line of a context comes from: its sources are ids without a kind, and the section tells which kinds they are. A
 * message is jumped to, a memory opened on its page; what has no page of its own is only named.
 */
import { to } from "../../../router";

export type TargetKind = "message" | "memory" | "pin" | "session" | "todo" | "spine" | "rolling" | "seed";

export interface Target {
  kind: TargetKind;
  id: string;
}

/** How a context line, or a dropped one, says where it stands. */
export interface Placed {
  section: string;
  /** The heading inside its section; dropped lines have none. */
  group?: string;
  sources: readonly string[];
}

/** Ids of memories are a moment and eight digits (`2026-01-20T08:00:00.000Z#0a1b2c3d`); no other record's are. */
const MEMORY = /^\d{4}-\d\d-\d\dT[\d:.]+Z#[0-9a-f]{8}$/;

export function targetsOf({ section, group = "", sources }: Placed): Target[] {
  return sources.map((id, index) => ({ id, kind: kindOf(section, group, id, index) }));
}

function kindOf(section: string, group: string, id: string, index: number): TargetKind {
  if (id === "seed") return "seed";
  if (id.startsWith("spine:")) return "spine";
  if (id.startsWith("rolling:")) return "rolling";
  if (MEMORY.test(id)) return "memory";
  if (section === "pins" && index === 0) return "pin";
  if (section === "spine" && index === 0) return group.startsWith("LAST SESSION") ? "session" : "todo";
  return "message";
}

/** The address of what is not in a chat; null: it is jumped to, or has no page. */
export function addressOf({ kind, id }: Target): string | null {
  if (kind === "memory") return to("/memories", { memory: id });
  if (kind === "todo") return to("/todos", { todo: id });
  if (kind === "session") return to("/timeline", { session: id });
  if (kind === "spine") return to("/timeline", { view: "spine", version: id.slice("spine:".length) });
  return null;
}

/** What the control that leads there is called. */
export function nameOf({ kind, id }: Target): string {
  if (kind === "spine") return `spine ${id.slice("spine:".length)}`;
  if (kind === "rolling") return "rolling summary";
  return kind;
}
