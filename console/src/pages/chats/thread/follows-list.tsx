/** What goes with a message that is about to be deleted, and what stays though it came of it. */
import { List, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { api, type Shape, take } from "../../../api/client";
import { Answer } from "../../../parts/answer";
import { UserText } from "../../../parts/user-text";
import { onlyFrom } from "./follows";
import type { Message } from "./use-messages";

/** Pages of memories that are looked through; a larger memory is told of in general. */
const PAGES = 10;
/** Of each kind so many are named. */
const NAMED = 5;
const SHORT = 160;

type Memory = Shape<"MemoryShape">;

export function Follows({
  message,
  pins,
  folded,
}: {
  message: Message;
  pins: Shape<"PinShape">[];
  folded: boolean;
}) {
  const known = useQuery({
    queryKey: ["get", "/memories", "told by", message.id],
    queryFn: () => memories(),
    staleTime: 0,
  });
  return (
    <>
      <Text size="sm" c="dimmed" component="blockquote" m={0} mb="sm">
        <UserText lines={3}>{message.text.slice(0, 500)}</UserText>
      </Text>
      <Answer of={known}>
        {({ found, all }) => {
          const { gone, kept } = onlyFrom(found, message.id);
          return (
            <>
              <Named title="Pins that are deleted, too" texts={ofRules(pins, true)} />
              <Named title="Memories that are deleted, too" texts={gone.map((memory) => memory.content)} />
              <Named
                title="Memories that stay, because other messages say them, too"
                texts={kept.map((memory) => memory.content)}
              />
              <Named title="Pins that stay, because they were set by hand" texts={ofRules(pins, false)} />
              {folded && (
                <Text size="sm" mb="xs">
                  The summary of its segment and the brief are written anew from what is left.
                </Text>
              )}
              {!pins.length && !gone.length && !kept.length && all && (
                <Text size="sm" mb="xs">
                  No pin and no memory came of it.
                </Text>
              )}
              {!all && (
                <Text size="sm" mb="xs">
                  Memories that only this message tells go with it; there are too many to look through them
                  here.
                </Text>
              )}
            </>
          );
        }}
      </Answer>
      <Text size="sm">This cannot be undone.</Text>
    </>
  );
}

function Named({ title, texts }: { title: string; texts: string[] }) {
  if (!texts.length) return null;
  return (
    <>
      <Text size="sm" fw={500}>
        {title}
      </Text>
      <List size="sm" mb="xs">
        {texts.slice(0, NAMED).map((text, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: texts may be the same twice
          <List.Item key={index}>
            <UserText lines={2}>{text.slice(0, SHORT)}</UserText>
          </List.Item>
        ))}
        {texts.length > NAMED && <List.Item>and {texts.length - NAMED} more</List.Item>}
      </List>
    </>
  );
}

/** A rule makes its pins anew from what is said; those of people are theirs. */
function ofRules(pins: Shape<"PinShape">[], derived: boolean): string[] {
  return pins.filter((pin) => pin.derived === derived).map((pin) => pin.content);
}

/** Every memory, whatever its status, as far as it is reasonable to look. */
async function memories(): Promise<{ found: Memory[]; all: boolean }> {
  const found: Memory[] = [];
  let cursor: string | null = null;
  for (let page = 0; page < PAGES; page += 1) {
    const query = { limit: 500, status: "any", past: true, ...(cursor ? { cursor } : {}) };
    const answer: Shape<"MemoriesShape"> = await take(api.GET("/memories", { params: { query } }));
    found.push(...answer.memories);
    cursor = answer.next_cursor;
    if (!cursor) return { found, all: true };
  }
  return { found, all: false };
}
