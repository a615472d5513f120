/** Every chat, last active first. A search looks at titles here, and at what was said through the service. */

import { Anchor, Text, Title } from "@mantine/core";
import { MessagesSquare } from "lucide-react";
import { useEffect } from "react";
import { api, type Shape } from "../../../api/client";
import { usePages } from "../../../api/pages";
import { Answer } from "../../../parts/answer";
import { EmptyState } from "../../../parts/empty-state";
import { many } from "../../../parts/many";
import { Name } from "../../../parts/name";
import { usePersona } from "../../../parts/persona-select";
import { RelativeTime } from "../../../parts/relative-time";
import { SearchBox } from "../../../parts/search-box";
import { UserText } from "../../../parts/user-text";
import { VirtualList } from "../../../parts/virtual-list";
import { setParams, to, useParam } from "../../../router";
import classes from "./chat-list.module.css";
import { titled } from "./filter";
import { FoundMessages } from "./found-messages";

type Chat = Shape<"ChatShape">;

/** Characters from which on it is worth asking what was said. */
const ENOUGH = 2;
/** Pixels of a row. */
const ROW = 54;

/** What is asked for the list: with a search all titles are wanted, so the pages are as large as they may be. */
export function chatsAsked(persona: string, search: string) {
  const filter = { limit: search ? 500 : 50, ...(persona ? { persona_id: persona } : {}) };
  return [
    "/v1/chats",
    filter,
    (at: { cursor?: string }) => api.GET("/v1/chats", { params: { query: { ...filter, ...at } } }),
  ] as const;
}

export function ChatList() {
  const persona = usePersona();
  const [search, setSearch] = useParam("find");
  const chats = usePages(...chatsAsked(persona ?? "", search));
  const { more, hasNextPage } = chats;
  const loaded = chats.data?.pages.length;
  useEffect(() => {
    if (search && hasNextPage && loaded) more();
  }, [search, hasNextPage, loaded, more]);

  return (
    <>
      <div className={classes.search}>
        <SearchBox label="Search chats" placeholder="Search chats" value={search} onChange={setSearch} />
      </div>
      <Answer of={chats}>
        {({ pages }) => {
          const all = pages.flatMap((page) => page.chats);
          if (!all.length) return <NoChats persona={persona} />;
          const shown = search ? titled(all, search) : all;
          return (
            <div className={classes.lists}>
              {search && (
                <Title order={2} size="xs" c="dimmed" className={classes.heading}>
                  {hasNextPage ? "Titles so far" : "Titles"}
                </Title>
              )}
              {shown.length > 0 ? (
                <div
                  className={classes.titles}
                  style={search ? { flex: "none", blockSize: `min(${shown.length * ROW}px, 45%)` } : {}}
                >
                  <Chats items={shown} onEnd={chats.more} />
                </div>
              ) : (
                <Text size="sm" c="dimmed" px="sm" pb="xs">
                  No title has these words.
                </Text>
              )}
              {search.trim().length >= ENOUGH && (
                <FoundMessages search={search.trim()} persona={persona} chats={all} />
              )}
            </div>
          );
        }}
      </Answer>
    </>
  );
}

function Chats({ items, onEnd }: { items: Chat[]; onEnd: () => void }) {
  const [chat] = useParam("chat");
  return (
    <VirtualList
      label="Chats"
      items={items}
      keyOf={(item) => item.chat_id}
      chosen={chat}
      estimate={ROW}
      onChoose={(item) => setParams({ chat: item.chat_id, message: "" }, { replace: false })}
      onEnd={onEnd}
    >
      {(item) => (
        <div className={classes.chat}>
          <Text size="sm" fw={500} component="div">
            <UserText lines={1}>{item.title ?? item.chat_id}</UserText>
          </Text>
          <Text size="xs" c="dimmed" component="div" truncate>
            {many(item.message_count, "message")}
            {item.persona_id && (
              <>
                {" · "}
                <Name>{item.persona_id}</Name>
              </>
            )}
            {item.last_message_at && " · "}
            {item.last_message_at && <RelativeTime at={item.last_message_at} />}
          </Text>
        </div>
      )}
    </VirtualList>
  );
}

function NoChats({ persona }: { persona: string | null }) {
  if (persona) {
    return (
      <EmptyState icon={MessagesSquare} title="No chats with this persona">
        Choose another persona above, or all of them.
      </EmptyState>
    );
  }
  return (
    <EmptyState
      icon={MessagesSquare}
      title="No chats yet"
      action={<Anchor href={to("/playground")}>Open the Playground</Anchor>}
    >
      A chat appears here with its first message, from an assistant that uses Recollect or from the
      Playground.
    </EmptyState>
  );
}
