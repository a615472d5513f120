/** The newest messages of the chat that the playground goes on with. */
import { $api } from "../../api/client";

/** Messages that are shown; the whole chat is on its own page. */
const SHOWN = 60;

export function threadOf(chat: string) {
  return $api.queryOptions("get", "/v1/chats/{chat_id}/messages", {
    params: { path: { chat_id: chat }, query: { newest: true, limit: SHOWN } },
  });
}
