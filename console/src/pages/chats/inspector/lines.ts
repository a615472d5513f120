/**
 * A context as rows of one list: sections with their headings and lines, then what was left out, by its reason. One flat
 * list, because a thousand dropped pins must cost what twenty cost.
 */
import type { Shape } from "../../../api/client";
import { fitted } from "./shares";
import { type Target, targetsOf } from "./targets";

type Context = Pick<Shape<"ContextShape">, "sections" | "dropped" | "tokens">;

export type Row =
  | {
      kind: "section";
      key: string;
      name: string;
      title: string;
      tokens: number;
      lines: number;
      open: boolean;
    }
  | { kind: "group"; key: string; text: string }
  | { kind: "line"; key: string; text: string; why: string; tokens: number; targets: Target[] }
  | { kind: "left-out"; key: string; lines: number; tokens: number }
  | { kind: "reason"; key: string; why: string; lines: number; tokens: number; open: boolean }
  | {
      kind: "dropped";
      key: string;
      section: string;
      text: string;
      tokens: number;
      cut: boolean;
      targets: Target[];
    };

/** The sections as people would call them, in the order in which a model reads them. */
const TITLES: Record<string, string> = {
  pins: "Pinned facts",
  profile: "Profile",
  spine: "Long view",
  brief: "Summary of what is folded",
  important: "Important earlier messages",
  tail: "Conversation",
  recall: "Recalled for the question",
  query: "The question",
};

export function titleOf(section: string): string {
  return TITLES[section] ?? section;
}

/** What a section's row is called in the list of those that somebody closed, and a reason's in that of the opened. */
export const sectionKey = (name: string) => `section ${name}`;
export const reasonKey = (why: string) => `reason ${why}`;

/** Sections are open until somebody closes them, reasons closed until somebody opens them: `turned` names both. */
export function rowsOf(context: Context, turned: ReadonlySet<string>): Row[] {
  return [...shown(context, turned), ...leftOut(context, turned)];
}

function* shown(context: Context, turned: ReadonlySet<string>): Generator<Row> {
  const tokens = new Map(fitted(context.sections, context.tokens).map((part) => [part.name, part.tokens]));
  for (const section of context.sections) {
    const { name, lines } = section;
    const key = sectionKey(name);
    const open = !turned.has(key);
    yield {
      kind: "section",
      key,
      name,
      title: titleOf(name),
      tokens: tokens.get(name) ?? 0,
      lines: lines.length,
      open,
    };
    if (!open) continue;
    let group = "";
    for (const [index, line] of lines.entries()) {
      if (line.group && line.group !== group) {
        yield { kind: "group", key: `${key} group ${index}`, text: line.group };
      }
      group = line.group;
      const targets = targetsOf({ section: name, group, sources: line.sources });
      yield {
        kind: "line",
        key: `${key} line ${index}`,
        text: line.text,
        why: line.why,
        tokens: line.tokens,
        targets,
      };
    }
  }
}

function* leftOut(context: Context, turned: ReadonlySet<string>): Generator<Row> {
  if (!context.dropped.length) return;
  const reasons = new Map<string, Context["dropped"]>();
  for (const item of context.dropped) {
    const same = reasons.get(item.why);
    if (same) same.push(item);
    else reasons.set(item.why, [item]);
  }
  yield { kind: "left-out", key: "left out", lines: context.dropped.length, tokens: sum(context.dropped) };
  for (const [why, items] of reasons) {
    const key = reasonKey(why);
    const open = turned.has(key);
    yield { kind: "reason", key, why, lines: items.length, tokens: sum(items), open };
    if (!open) continue;
    for (const [index, item] of items.entries()) {
      const { section, text, tokens, cut } = item;
      yield {
        kind: "dropped",
        key: `${key} ${index}`,
        section,
        text,
        tokens,
        cut,
        targets: targetsOf({ section, sources: item.sources }),
      };
    }
  }
}

function sum(items: readonly { tokens: number }[]): number {
  return items.reduce((total, item) => total + item.tokens, 0);
}
