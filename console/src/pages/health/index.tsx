/** Health: work behind the scenes, and how much is remembered. */
import { Group, Paper, SimpleGrid, Stack, Table, Text, Title } from "@mantine/core";
import { $api } from "../../api/client";
import { Answer } from "../../parts/answer";
import { Mono } from "../../parts/mono";
import { Page } from "../../parts/page";
import { RelativeTime } from "../../parts/relative-time";
import { WideTable } from "../../parts/wide-table";

export default function HealthPage() {
  const stats = $api.useQuery("get", "/memories/stats", {});
  const jobs = $api.useQuery("get", "/v1/jobs/mine", {});
  return (
    <Page title="Health" lead="Whether everything is done that should be, and how memory grows.">
      <Answer of={stats}>
        {(found) => (
          <SimpleGrid cols={{ base: 2, sm: 4 }} mb="xl">
            <Figure name="memories" value={found.total} />
            <Figure name="messages" value={found.messages} />
            <Figure name="chats" value={found.chats} />
            <Figure name="not judged yet" value={found.messages_unjudged} />
          </SimpleGrid>
        )}
      </Answer>
      <Title order={2} mb="xs">
        Work that is not done
      </Title>
      <Answer of={jobs}>
        {({ jobs: found }) =>
          found.length === 0 ? (
            <Text size="sm" c="dimmed">
              None: everything that was said is summarised, judged and indexed.
            </Text>
          ) : (
            <WideTable label="Work that is not done" minWidth={420}>
              <Table.Tbody>
                {found.slice(0, 100).map((job) => (
                  <Table.Tr key={job.id}>
                    <Table.Td>{job.kind}</Table.Td>
                    <Table.Td>{job.status}</Table.Td>
                    <Table.Td>
                      <Group gap={4}>
                        <Text size="xs" c="dimmed" component="span">
                          <RelativeTime at={job.run_at} />
                        </Text>
                      </Group>
                    </Table.Td>
                    <Table.Td>
                      <Mono>{job.last_error ?? ""}</Mono>
                    </Table.Td>
                  </Table.Tr>
                ))}
              </Table.Tbody>
            </WideTable>
          )
        }
      </Answer>
    </Page>
  );
}

function Figure({ name, value }: { name: string; value: number }) {
  return (
    <Paper withBorder p="sm">
      <Stack gap={0}>
        <Text fz="xl" fw={600}>
          {value.toLocaleString("en")}
        </Text>
        <Text size="xs" c="dimmed">
          {name}
        </Text>
      </Stack>
    </Paper>
  );
}
