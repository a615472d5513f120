/** Which chats a search means: all its words stand in the title or the id, whatever the case and the accents. */
import type { Shape } from "../../../api/client";

type Chat = Pick<Shape<"ChatShape">, "chat_id" | "title">;

export function titled<Item extends Chat>(chats: readonly Item[], search: string): Item[] {
  const words = plain(search).split(/\s+/).filter(Boolean);
  return chats.filter((chat) => {
    const text = plain(`${chat.title ?? ""} ${chat.chat_id}`);
    return words.every((word) => text.includes(word));
  });
}

function plain(text: string): string {
  return text
    .normalize("NFKD")
    .replace(/\p{Mark}/gu, "")
    .toLowerCase();
}

/** The best of what several searches found, each message once. */
export function best<Hit extends { message_id: string; score: number }>(
  hits: readonly Hit[],
  most: number,
): Hit[] {
  const once = new Map<string, Hit>();
  for (const hit of hits) {
    const same = once.get(hit.message_id);
    if (!same || same.score < hit.score) once.set(hit.message_id, hit);
  }
  return [...once.values()].sort((one, other) => other.score - one.score).slice(0, most);
}
