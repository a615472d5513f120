/** Where the message is that is jumped to. One of another chat leads there; one that is gone is said to be. */
import { useEffect } from "react";
import { $api } from "../../../api/client";
import { ApiError } from "../../../api/errors";
import { tellDone, tellFailed } from "../../../parts/notify";
import { setParams } from "../../../router";
import type { Jump } from "./thread";
import type { Message } from "./use-messages";

export function useGoal(chat: string, jump: Jump | null): Message | null {
  const id = jump?.id ?? "";
  const found = $api.useQuery(
    "get",
    "/v1/messages/{message_id}",
    { params: { path: { message_id: id } } },
    { enabled: Boolean(id) },
  );
  const { data, error } = found;
  const elsewhere = data && data.session_id !== chat ? data.session_id : "";

  useEffect(() => {
    if (elsewhere) setParams({ chat: elsewhere });
  }, [elsewhere]);

  useEffect(() => {
    if (!error || !id) return;
    const gone: unknown = error;
    if (gone instanceof ApiError && gone.status === 404) tellDone("That message is no longer there.");
    else tellFailed(gone);
    setParams({ message: "" });
  }, [error, id]);

  return data && id && data.id === id && !elsewhere ? data : null;
}
