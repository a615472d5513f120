/** Messages that a search finds in any chat, best first; a click opens the chat at the message. */
import { Text, Title } from "@mantine/core";
import type { Shape } from "../../../api/client";
import { Answer } from "../../../parts/answer";
import { Name } from "../../../parts/name";
import { exactly } from "../../../parts/relative-time";
import { UserText } from "../../../parts/user-text";
import { to, useParam } from "../../../router";
import classes from "./chat-list.module.css";
import { useFound } from "./use-found";

/** Characters of a message that are shown here. */
const SHOWN = 300;

interface FoundMessagesProps {
  search: string;
  persona: string | null;
  /** Says in which chat each was said. */
  chats: Shape<"ChatShape">[];
}

export function FoundMessages({ search, persona, chats }: FoundMessagesProps) {
  const [budget] = useParam("budget");
  const [ask] = useParam("ask");
  const found = useFound(search, persona);
  const titles = new Map(chats.map(({ chat_id, title }) => [chat_id, title]));
  return (
    <section aria-label="Messages found" className={classes.found}>
      <Title order={2} size="xs" c="dimmed" className={classes.heading}>
        Messages
      </Title>
      <Answer of={found}>
        {(hits) =>
          hits.length ? (
            <ul className={classes.hits}>
              {hits.map((hit) => (
                <li key={hit.message_id}>
                  <a
                    className={classes.hit}
                    href={to("/chats", {
                      chat: hit.chat_id,
                      message: hit.message_id,
                      find: search,
                      persona: persona ?? "",
                      budget,
                      ask,
                    })}
                  >
                    <UserText lines={2}>{hit.text.slice(0, SHOWN)}</UserText>
                    <Text size="xs" c="dimmed" component="span" display="block">
                      <Name most={40}>{titles.get(hit.chat_id) ?? hit.chat_id}</Name> · {hit.role} ·{" "}
                      {exactly(hit.created_at)}
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
