/** Where a todo was said: the words themselves, and the way to them. */
import { Anchor, Button, Popover, Stack, Text } from "@mantine/core";
import { Quote } from "lucide-react";
import { $api } from "../../api/client";
import { Answer } from "../../parts/answer";
import { RelativeTime } from "../../parts/relative-time";
import { UserText } from "../../parts/user-text";
import { to } from "../../router";

/** Messages that are shown; a habit may have been spoken of a hundred times. */
const SHOWN = 5;

export function Sources({ ids }: { ids: string[] }) {
  if (ids.length === 0) return null;
  return (
    <Popover width={340} position="bottom-start" withArrow trapFocus shadow="md">
      <Popover.Target>
        <Button
          variant="subtle"
          color="gray"
          size="compact-xs"
          fw={400}
          leftSection={<Quote size={12} aria-hidden />}
        >
          {ids.length === 1 ? "said once" : `said ${ids.length} times`}
        </Button>
      </Popover.Target>
      <Popover.Dropdown aria-label="Where it was said">
        <Stack gap="sm">
          {ids.slice(-SHOWN).map((id) => (
            <Source key={id} id={id} />
          ))}
        </Stack>
      </Popover.Dropdown>
    </Popover>
  );
}

function Source({ id }: { id: string }) {
  const message = $api.useQuery("get", "/v1/messages/{message_id}", { params: { path: { message_id: id } } });
  return (
    <Answer of={message}>
      {(found) => (
        <div>
          <Text size="sm" component="div">
            <UserText lines={6}>{found.text}</UserText>
          </Text>
          <Text size="xs" c="dimmed" mt={2}>
            <RelativeTime at={found.created_at} />
            {" · "}
            <Anchor href={to("/chats", { chat: found.session_id, message: id })}>Open in Chats</Anchor>
          </Text>
        </div>
      )}
    </Answer>
  );
}
