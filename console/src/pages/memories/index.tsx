/** Memories: what is known, newest first, by category. */
import { Group, SegmentedControl, Stack, Text } from "@mantine/core";
import { NotebookText } from "lucide-react";
import { $api } from "../../api/client";
import { Answer } from "../../parts/answer";
import { CATEGORIES, CategoryBadge } from "../../parts/category-badge";
import { EmptyState } from "../../parts/empty-state";
import { Page } from "../../parts/page";
import { RelativeTime } from "../../parts/relative-time";
import { UserText } from "../../parts/user-text";
import { useParam } from "../../router";

export default function MemoriesPage() {
  const [category, setCategory] = useParam("category");
  const stats = $api.useQuery("get", "/memories/stats", {});
  const memories = $api.useQuery("get", "/memories", {
    params: { query: { limit: 100, ...(category ? { category } : {}) } },
  });
  const counts: Record<string, number> = stats.data?.by_category ?? {};
  return (
    <Page title="Memories" lead="What is known, where it came from, and what became of it.">
      <Group mb="md" style={{ overflowX: "auto" }} wrap="nowrap">
        <SegmentedControl
          size="xs"
          aria-label="Category"
          value={category}
          onChange={setCategory}
          data={[
            { value: "", label: `all ${stats.data?.total ?? ""}` },
            ...CATEGORIES.map((name) => ({ value: name, label: `${name} ${counts[name] ?? 0}` })),
          ]}
        />
      </Group>
      <Answer of={memories}>
        {({ memories: found }) =>
          found.length === 0 ? (
            <EmptyState
              icon={NotebookText}
              title="Nothing is remembered here yet"
              command={'recollect remember "I prefer tea."'}
            >
              Memories form themselves out of chats. You can also say one outright.
            </EmptyState>
          ) : (
            <Stack gap="sm" component="ul" p={0} m={0} style={{ listStyle: "none" }}>
              {found.map((memory) => (
                <li key={memory.memory_id}>
                  <Text size="sm" component="div">
                    <UserText>{memory.content}</UserText>
                  </Text>
                  <Group gap="xs" mt={2}>
                    <CategoryBadge category={memory.category} />
                    <Text size="xs" c="dimmed" component="span">
                      <RelativeTime at={memory.created_at} />
                    </Text>
                  </Group>
                </li>
              ))}
            </Stack>
          )
        }
      </Answer>
    </Page>
  );
}
