/** The store as a whole, for whoever runs it: its size, its indexes, what models cost today, and everybody's work. */

import { Stack, Table, Text, Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { $api, api, take } from "../../api/client";
import { Answer } from "../../parts/answer";
import { many } from "../../parts/many";
import { Mono } from "../../parts/mono";
import { WideTable } from "../../parts/wide-table";
import { Figures } from "./figure";
import { metric, size } from "./figures";
import { nameOf } from "./jobs";

export function Store() {
  const info = $api.useQuery("get", "/v1/info", {});
  const metrics = useQuery({
    queryKey: ["get", "/metrics"],
    queryFn: () => take(api.GET("/metrics", { parseAs: "text" })) as Promise<string>,
  });
  const of = (name: string) => metric(metrics.data ?? "", name) ?? 0;
  const cap = of("recollect_model_tokens_cap");
  return (
    <Stack gap="md">
      <Answer of={info}>
        {(found) => (
          <>
            <Figures
              of={[
                ["users", found.users],
                ["on disk", size(found.size_bytes)],
                ["schema", found.schema],
                ["index in memory", size(of("recollect_index_bytes"))],
                ["index may take", size(of("recollect_index_limit_bytes"))],
              ]}
            />
            <Text size="sm" c="dimmed" component="div">
              {Object.keys(found.models).length ? "Embeddings by " : "Nobody is remembered yet."}
              {Object.entries(found.models).map(([model, users], at) => (
                <span key={model}>
                  {at > 0 && ", "}
                  <Mono>{model}</Mono> for {many(users, "user")}
                </span>
              ))}
              {Object.keys(found.models).length > 1 &&
                ". More than one model: `recollect db reembed` brings everybody to the newest."}
            </Text>
          </>
        )}
      </Answer>
      <Answer of={metrics}>
        {() => (
          <div>
            <Title order={3} mb={6}>
              Models, today
            </Title>
            <Figures
              of={[
                ["tokens of the judge", of("recollect_model_tokens_today")],
                ["limit a day", cap ? cap.toLocaleString("en") : "none"],
                ["calls", of("recollect_model_calls_today")],
                ["failed", of("recollect_model_failures_today")],
              ]}
            />
          </div>
        )}
      </Answer>
      <Everybody />
    </Stack>
  );
}

function Everybody() {
  const work = $api.useQuery("get", "/v1/jobs", {});
  return (
    <Answer of={work}>
      {({ counts, scheduled, lag_seconds, dead }) => {
        const statuses = Object.keys(counts).sort();
        const kinds = [...new Set(statuses.flatMap((status) => Object.keys(counts[status] ?? {})))].sort();
        return (
          <div>
            <Title order={3} mb={6}>
              Everybody's work
            </Title>
            <Text size="sm" c="dimmed">
              {lag_seconds < 1 ? "Nothing is late" : `${Math.round(lag_seconds)} seconds late`},{" "}
              {scheduled.toLocaleString("en")} for later, {dead.length.toLocaleString("en")} failed.
            </Text>
            {kinds.length > 0 && (
              <WideTable label="Everybody's work" minWidth={320} mt="xs" verticalSpacing={4}>
                <Table.Thead>
                  <Table.Tr>
                    <Table.Th>What</Table.Th>
                    {statuses.map((status) => (
                      <Table.Th key={status} ta="right">
                        {status === "dead" ? "failed" : status}
                      </Table.Th>
                    ))}
                  </Table.Tr>
                </Table.Thead>
                <Table.Tbody>
                  {kinds.map((kind) => (
                    <Table.Tr key={kind}>
                      <Table.Td>{nameOf(kind)}</Table.Td>
                      {statuses.map((status) => (
                        <Table.Td key={status} ta="right">
                          {(counts[status]?.[kind] ?? 0).toLocaleString("en")}
                        </Table.Td>
                      ))}
                    </Table.Tr>
                  ))}
                </Table.Tbody>
              </WideTable>
            )}
          </div>
        );
      }}
    </Answer>
  );
}
