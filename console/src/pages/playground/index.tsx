/** Playground: talk with memory, or see what a model would be sent. */
import { Anchor, Button, Code, Group } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { MessagesSquare, Play, Plus } from "lucide-react";
import { useState } from "react";
import { USUAL_BUDGET } from "../../api/budget";
import { $api } from "../../api/client";
import { EmptyState } from "../../parts/empty-state";
import { ErrorNotice } from "../../parts/error-notice";
import { Page } from "../../parts/page";
import { setParams, to, useParam } from "../../router";
import { useSession } from "../../session/session";
import { Composer } from "./composer";
import classes from "./playground.module.css";
import { modelNames, type Setup } from "./request";
import { MoreSetup, SetupFields } from "./setup";
import { Thread } from "./thread";
import { threadOf } from "./thread-query";
import { isOver } from "./turn";
import { useTalk } from "./use-talk";

const START = { instructions: "", sources: "", budget: USUAL_BUDGET, tools: false, contextOnly: false };

export default function PlaygroundPage() {
  const [chat, setChat] = useParam("chat");
  const [persona] = useParam("persona");
  const [model] = useParam("model");
  const [rest, setRest] = useState<Omit<Setup, "model" | "persona">>(START);
  const { writes } = useSession();
  const models = $api.useQuery("get", "/v1/models", {}, { retry: false });
  const thread = useQuery({ ...threadOf(chat), enabled: Boolean(chat) });
  const talk = useTalk(chat, setChat);

  const names = modelNames(models.data);
  const without = lacks(models, model);
  const setup: Setup = { ...rest, model, persona, contextOnly: rest.contextOnly || without };
  const messages = (chat && thread.data?.messages) || [];
  const lastSaid = messages.findLast(({ role }) => role === "user")?.id;
  const busy = talk.turn !== null && !isOver(talk.turn);

  /** The setup once it is known whether a model answers here: what is sent before that waits for the list. */
  async function foundOut(): Promise<Setup> {
    const listed = await models.refetch({ cancelRefetch: false });
    return { ...setup, contextOnly: rest.contextOnly || lacks(listed, model) };
  }

  function change({ model: named, persona: who, ...others }: Partial<Setup>) {
    if (named !== undefined) setParams({ model: named });
    if (who !== undefined) setParams({ persona: who });
    setRest((before) => ({ ...before, ...others }));
  }

  return (
    <Page
      title="Playground"
      lead="Chat with memory, or preview the context."
      actions={chat && <Ways chat={chat} onNew={talk.leave} />}
      fill
    >
      <div className={classes.page}>
        {thread.isError && chat ? (
          <ErrorNotice error={thread.error} retry={() => void thread.refetch()} />
        ) : messages.length === 0 && !talk.turn ? (
          <div className={classes.thread}>
            <Welcome without={without} />
          </div>
        ) : (
          <Thread
            chat={chat}
            messages={messages}
            cut={Boolean(thread.data?.next_cursor)}
            turn={talk.turn}
            beside={talk.beside}
            without={setup.contextOnly}
            onLook={() => void talk.look()}
            onSave={
              writes
                ? (message, given) => void talk.save(message, given, message.id === lastSaid, persona)
                : null
            }
          />
        )}
        <Composer
          verb={setup.contextOnly ? "Show the context" : "Send"}
          busy={busy}
          disabled={!writes}
          onSend={(text) => talk.send(text, models.isPending ? foundOut() : setup, messages)}
          onStop={setup.contextOnly ? null : talk.stop}
        >
          <SetupFields setup={setup} models={names} without={without} onChange={change} />
        </Composer>
        <MoreSetup setup={setup} onChange={change} />
      </div>
    </Page>
  );
}

/** Whether no model answers. A list that is not there, or cannot be had, says nothing about it. */
function lacks(listed: { isSuccess: boolean; data: unknown }, model: string): boolean {
  return listed.isSuccess && !model && modelNames(listed.data).length === 0;
}

function Ways({ chat, onNew }: { chat: string; onNew: () => void }) {
  return (
    <Group gap="xs">
      <Button
        component="a"
        href={to("/chats", { chat })}
        variant="default"
        size="xs"
        leftSection={<MessagesSquare size={14} aria-hidden />}
      >
        Open in Chats
      </Button>
      <Button
        variant="default"
        size="xs"
        leftSection={<Plus size={14} aria-hidden />}
        onClick={() => {
          onNew();
          setParams({ chat: "" }, { replace: false });
        }}
      >
        New chat
      </Button>
    </Group>
  );
}

function Welcome({ without }: { without: boolean }) {
  if (!without) {
    return (
      <EmptyState icon={Play} title="Say something">
        This is a chat like any other: it is recorded, remembered and answered with memory.
      </EmptyState>
    );
  }
  return (
    <EmptyState icon={Play} title="No model connected">
      What you write is recorded as in any chat, and you see the context that a model would get. For answers,
      start the service with <Code>RECOLLECT_CHAT_MODEL</Code> and <Code>OPENAI_API_KEY</Code>, or{" "}
      <Code>OPENAI_BASE_URL</Code> for a model of your own.{" "}
      <Anchor href="/docs" size="sm">
        API reference
      </Anchor>
    </EmptyState>
  );
}
