/** Messages that a search finds in any chat, best first; a click opens the chat at the message. */
import { Text, Title } from "@mantine/core";
import { keepPreviousData } from "@tanstack/react-query";
import { $api } from "../../../api/client";
import { Answer } from "../../../parts/answer";
import { exactly } from "../../../parts/relative-time";
import { UserText } from "../../../parts/user-text";
import { to, useParam } from "../../../router";
import classes from "./chat-list.module.css";

const MOST = 20;
/** Characters of a message that are shown here. */
const SHOWN = 300;

export function FoundMessages({ search, persona }: { search: string; persona: string | null }) {
  const [budget] = useParam("budget");
  const found = $api.useQuery(
    "get",
    "/memories/search",
    {
      params: {
        query: {
          query: search.slice(0, 500),
          limit: 1,
          episodes: MOST,
          neighbours: 0,
          ...(persona ? { persona_id: persona } : {}),
        },
      },
    },
    { placeholderData: keepPreviousData },
  );
  return (
    <section aria-label="Messages found" className={classes.found}>
      <Title order={2} size="xs" c="dimmed" className={classes.heading}>
        Messages
      </Title>
      <Answer of={found}>
        {({ episodes }) =>
          episodes.length ? (
            <ul className={classes.hits}>
              {episodes.map((hit) => (
                <li key={hit.message_id}>
                  <a
                    className={classes.hit}
                    href={to("/chats", {
                      chat: hit.chat_id,
                      message: hit.message_id,
                      find: search,
                      budget,
                      persona: persona ?? "",
                    })}
                  >
                    <UserText lines={2}>{hit.text.slice(0, SHOWN)}</UserText>
                    <Text size="xs" c="dimmed" component="span" display="block">
                      {hit.role} · {exactly(hit.created_at)}
                    </Text>
                  </a>
                </li>
              ))}
            </ul>
          ) : (
            <Text size="sm" c="dimmed" px="sm">
              Nothing like it was said.
            </Text>
          )
        }
      </Answer>
    </section>
  );
}
