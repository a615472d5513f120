/** Messages that a search finds in any chat, best first; a click opens the chat at the message. */
import { Text, Title } from "@mantine/core";
import { Answer } from "../../../parts/answer";
import { exactly } from "../../../parts/relative-time";
import { UserText } from "../../../parts/user-text";
import { to, useParam } from "../../../router";
import classes from "./chat-list.module.css";
import { useFound } from "./use-found";

/** Characters of a message that are shown here. */
const SHOWN = 300;

export function FoundMessages({ search, persona }: { search: string; persona: string | null }) {
  const [budget] = useParam("budget");
  const [ask] = useParam("ask");
  const found = useFound(search, persona);
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
