/** Tokens that need not be sent: a chat's brief stands for what was folded into it. */
import { Anchor, Progress, Table, Text } from "@mantine/core";
import { useQueries } from "@tanstack/react-query";
import { $api } from "../../api/client";
import { Answer, Waiting } from "../../parts/answer";
import { named } from "../../parts/bidi";
import { Name } from "../../parts/name";
import { WideTable } from "../../parts/wide-table";
import { to } from "../../router";
import { percent, savingOf, summed } from "./figures";

/** Chats that are shown; each is a question of its own. */
const SHOWN = 10;

export function Savings() {
  const chats = $api.useQuery("get", "/v1/chats", { params: { query: { limit: SHOWN } } });
  const found = chats.data?.chats ?? [];
  const stats = useQueries({
    queries: found.map(({ chat_id }) =>
      $api.queryOptions("get", "/api/memory/stats/{session_id}", {
        params: { path: { session_id: chat_id } },
      }),
    ),
  });
  if (stats.some((one) => one.isPending)) return <Waiting rows={3} />;
  const rows = found.flatMap((chat, at) => {
    const known = stats[at]?.data;
    return known ? [{ chat, saving: savingOf(known) }] : [];
  });
  const all = summed(rows.map(({ saving }) => saving));
  return (
    <Answer of={chats}>
      {() =>
        rows.length === 0 ? (
          <Text size="sm" c="dimmed">
            No chats yet. Older messages of long chats are summarised, so that they cost fewer tokens.
          </Text>
        ) : (
          <>
            <Text size="sm" mb="xs">
              <b>{percent(all.saved, all.said)}</b> of the {all.said.toLocaleString("en")} tokens in the{" "}
              {rows.length === 1 ? "newest chat" : `${rows.length} newest chats`} need not be sent again.
            </Text>
            <WideTable label="Tokens saved by chat" minWidth={460} verticalSpacing={6}>
              <Table.Thead>
                <Table.Tr>
                  <Table.Th>Chat</Table.Th>
                  <Table.Th ta="right">Said</Table.Th>
                  <Table.Th ta="right">Sent</Table.Th>
                  <Table.Th w="30%">Saved</Table.Th>
                </Table.Tr>
              </Table.Thead>
              <Table.Tbody>
                {rows.map(({ chat, saving }) => (
                  <Table.Tr key={chat.chat_id}>
                    <Table.Td>
                      <Anchor href={to("/chats", { chat: chat.chat_id })} size="sm" lineClamp={1}>
                        <Name most={80}>{chat.title ?? chat.chat_id}</Name>
                      </Anchor>
                    </Table.Td>
                    <Table.Td ta="right">{saving.said.toLocaleString("en")}</Table.Td>
                    <Table.Td ta="right">{saving.sent.toLocaleString("en")}</Table.Td>
                    <Table.Td>
                      <Text size="xs" c="dimmed">
                        {saving.saved.toLocaleString("en")} ({percent(saving.saved, saving.said)})
                      </Text>
                      <Progress
                        size={4}
                        value={saving.said ? (saving.saved / saving.said) * 100 : 0}
                        aria-label={`Saved in ${named(chat.title ?? chat.chat_id)}`}
                      />
                    </Table.Td>
                  </Table.Tr>
                ))}
              </Table.Tbody>
            </WideTable>
          </>
        )
      }
    </Answer>
  );
}
