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
