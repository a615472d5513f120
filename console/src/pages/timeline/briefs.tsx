/** The summary of a chat's older messages, version by version. */
import { Anchor, Select, Stack } from "@mantine/core";
import { ScrollText } from "lucide-react";
import { useMemo } from "react";
import { $api, type Shape } from "../../api/client";
import { Answer } from "../../parts/answer";
import { onOneLine } from "../../parts/bidi";
import { EmptyState } from "../../parts/empty-state";
import { usePersona } from "../../parts/persona-select";
import { setParams, to, useParam } from "../../router";
import classes from "./timeline.module.css";
import { type Version, Versions } from "./versions";

type Chat = Shape<"ChatShape">;

export function Briefs() {
  const persona = usePersona();
  const chats = $api.useQuery("get", "/v1/chats", {
    params: { query: { limit: 1000, ...(persona ? { persona_id: persona } : {}) } },
  });
  return (
    <Answer of={chats}>
      {({ chats: known }) => {
        const folded = known.filter((chat) => chat.folded_position > 0);
        return folded.length === 0 ? (
          <EmptyState icon={ScrollText} title="No chat summaries yet">
            When a chat grows long, its older messages are summarised. Short chats need no summary.
          </EmptyState>
        ) : (
          <Chosen chats={folded} />
        );
      }}
    </Answer>
  );
}

function Chosen({ chats }: { chats: Chat[] }) {
  const [wanted] = useParam("chat");
  const chat = chats.find(({ chat_id }) => chat_id === wanted) ?? chats[0];
  if (!chat) return null;
  return (
    <Stack gap="sm" h="100%">
      <Select
        label="Chat"
        size="xs"
        maw={360}
        searchable
        allowDeselect={false}
        value={chat.chat_id}
        onChange={(next) => next && setParams({ chat: next, version: "", against: "" }, { replace: false })}
        data={chats.map(({ chat_id, title }) => ({ value: chat_id, label: onOneLine(title || chat_id, 80) }))}
      />
      <div className={classes.rest}>
        <Of chat={chat.chat_id} />
      </div>
    </Stack>
  );
}

function Of({ chat }: { chat: string }) {
  const briefs = $api.useQuery("get", "/v1/chats/{chat_id}/brief", {
    params: { path: { chat_id: chat }, query: { revisions: true } },
  });
  return <Answer of={briefs}>{({ revisions = [] }) => <Known chat={chat} briefs={revisions} />}</Answer>;
}

function Known({ chat, briefs }: { chat: string; briefs: Shape<"BriefShape">[] }) {
  const versions = useMemo(() => briefs.map((brief) => versionOf(brief, chat)), [briefs, chat]);
  if (versions.length === 0) return <EmptyState icon={ScrollText} title="The summary is being written" />;
  return <Versions label="Versions of the chat summary" versions={versions} />;
}

function versionOf(brief: Shape<"BriefShape">, chat: string): Version {
  const message = brief.last_summarized_message_id;
  return {
    number: brief.revision,
    at: brief.updated_at,
    by: brief.written_by,
    sections: [{ name: "", text: brief.global_summary }],
    note: (
      <span className={classes.quiet}>
        {brief.tokens.toLocaleString("en")} tokens
        {message && (
          <>
            {" · "}
            <Anchor size="xs" href={to("/chats", { chat, message })}>
              the chat up to here
            </Anchor>
          </>
        )}
      </span>
    ),
  };
}
