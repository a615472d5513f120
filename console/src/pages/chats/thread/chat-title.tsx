/** A chat's title, and a field in its place while it is renamed. Enter saves, Escape leaves it as it was. */
import { ActionIcon, TextInput, Title, Tooltip } from "@mantine/core";
import { Pencil } from "lucide-react";
import { useRef, useState } from "react";
import { api, type Shape } from "../../../api/client";
import { useOptimistic } from "../../../parts/use-optimistic";
import { UserText } from "../../../parts/user-text";
import { useSession } from "../../../session/session";
import classes from "./thread.module.css";

type Chat = Shape<"ChatShape">;

export function ChatTitle({ chat }: { chat: Chat }) {
  const { writes } = useSession();
  const [typed, setTyped] = useState<string | null>(null);
  const button = useRef<HTMLButtonElement>(null);
  const rename = useOptimistic({
    send: (title: string) =>
      api.PATCH("/v1/chats/{chat_id}", {
        params: { path: { chat_id: chat.chat_id } },
        body: { title: title || null },
      }),
    of: ["get", "/v1/chats/{chat_id}"],
    change: (cached: Chat, title) =>
      cached.chat_id === chat.chat_id ? { ...cached, title: title || null } : cached,
    also: [["get", "/v1/chats"]],
  });

  function close() {
    setTyped(null);
    requestAnimationFrame(() => button.current?.focus());
  }

  function save() {
    const title = (typed ?? "").trim();
    if (typed !== null && title !== (chat.title ?? "")) rename.mutate(title);
    close();
  }

  if (typed !== null) {
    return (
      <TextInput
        size="xs"
        aria-label="Title of this chat"
        placeholder="Empty: the first words of the chat"
        maxLength={200}
        autoFocus
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value)}
        onBlur={() => setTyped(null)}
        onKeyDown={(event) => {
          if (event.key === "Enter") save();
          if (event.key === "Escape") close();
        }}
      />
    );
  }
  return (
    <div className={classes.title}>
      <Title order={2} size="h3">
        <UserText lines={2}>{(chat.title || chat.chat_id).slice(0, 300)}</UserText>
      </Title>
      {writes && (
        <Tooltip label="Rename this chat">
          <ActionIcon
            ref={button}
            size="sm"
            aria-label="Rename this chat"
            onClick={() => setTyped(chat.title ?? "")}
          >
            <Pencil size={13} aria-hidden />
          </ActionIcon>
        </Tooltip>
      )}
    </div>
  );
}
