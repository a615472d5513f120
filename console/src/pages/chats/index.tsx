/** Chats: what was said, folded and pinned, and beside it what a model would see of it now. */
import { Drawer, Text } from "@mantine/core";
import { useMediaQuery } from "@mantine/hooks";
import type { QueryClient } from "@tanstack/react-query";
import { MessagesSquare } from "lucide-react";
import { useCallback, useState } from "react";
import { pagesOf } from "../../api/pages";
import { EmptyState } from "../../parts/empty-state";
import { Page } from "../../parts/page";
import { PersonaSelect } from "../../parts/persona-select";
import { param, setParams, useParam } from "../../router";
import classes from "./chats.module.css";
import { Inspector } from "./inspector/inspector";
import { ChatList, chatsAsked } from "./list/chat-list";
import { type Jump, Thread } from "./thread/thread";

/** From here on a thread and the inspector fit beside each other, and from there on the list of chats too. */
const TWO = "(min-width: 62em)";
const THREE = "(min-width: 84em)";
const AT_ONCE = { getInitialValueInEffect: false };

/** Asked while the console still finds out who is there. */
export async function ahead(cache: QueryClient): Promise<void> {
  await cache.prefetchInfiniteQuery(pagesOf(...chatsAsked(param("persona"), param("find"))));
}

export default function ChatsPage() {
  const two = useMediaQuery(TWO, undefined, AT_ONCE);
  const three = useMediaQuery(THREE, undefined, AT_ONCE);
  const [chat] = useParam("chat");
  const [message] = useParam("message");
  const [inspecting, setInspecting] = useParam("inspect");
  // The same message may be asked for twice: somebody scrolled away in between.
  const [times, setTimes] = useState(0);
  const jump = useCallback((id: string) => {
    setParams({ message: id, inspect: "" }, { replace: false });
    setTimes((before) => before + 1);
  }, []);
  const target: Jump | null = message ? { id: message, times } : null;

  const inspector = <Inspector key={chat} chat={chat} onJump={jump} />;
  return (
    <Page
      title="Chats"
      lead={chat && !two ? undefined : "What was said, and what a model would see of it now."}
      actions={!chat || three ? <PersonaSelect /> : undefined}
      fill
    >
      <div className={classes.panes} data-chat={chat ? true : undefined}>
        {(three || !chat) && (
          <section aria-label="List of chats" className={classes.list}>
            <ChatList />
          </section>
        )}
        {chat && (
          <section aria-label="Thread" className={classes.thread}>
            <Thread
              key={chat}
              chat={chat}
              jump={target}
              onBack={three ? null : () => setParams({ chat: "", message: "" }, { replace: false })}
              onInspect={two ? null : () => setInspecting("1", { push: true })}
            />
          </section>
        )}
        {chat && two && (
          <section aria-label="Context inspector" className={classes.inspector}>
            {inspector}
          </section>
        )}
        {!chat && two && (
          <section aria-label="Thread" className={classes.thread} data-empty>
            <EmptyState icon={MessagesSquare} title="Choose a chat">
              Its thread opens here, and beside it the context: what a model would be sent now, line by line,
              with the reason and the cost of each.
            </EmptyState>
          </section>
        )}
      </div>
      {chat && !two && (
        <Drawer
          opened={Boolean(inspecting)}
          onClose={() => setInspecting("")}
          position="right"
          size="30rem"
          title={<Text fw={600}>Context preview</Text>}
          closeButtonProps={{ "aria-label": "Back to the thread" }}
          classNames={{ body: classes.drawer ?? "", content: classes.drawerContent ?? "" }}
        >
          {inspector}
        </Drawer>
      )}
    </Page>
  );
}
