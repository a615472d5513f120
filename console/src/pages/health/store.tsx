/** The store as a whole, for operators: its size, its indexes, what models cost today, and all users' jobs. */

import { Stack, Table, Text, Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { $api, api, type Shape, take } from "../../api/client";
import { Answer } from "../../parts/answer";
import { many } from "../../parts/many";
import { Mono } from "../../parts/mono";
import { WideTable } from "../../parts/wide-table";
import { Figures } from "./figure";
import { metric, size } from "./figures";
import { nameOf } from "./jobs";

export function Store() {
  const work = $api.useQuery("get", "/v1/jobs", {});
  const metrics = useQuery({
    queryKey: ["get", "/metrics"],
    queryFn: () => take(api.GET("/metrics", { parseAs: "text" })) as Promise<string>,
  });
  const of = (name: string) => metric(metrics.data ?? "", name) ?? 0;
  const cap = of("recollect_model_tokens_cap");
  return (
    <Stack gap="md">
      <Answer of={work}>{(found) => "store" in found && <Size store={found.store} of={of} />}</Answer>
      <Answer of={metrics}>
        {() => (
          <div>
            <Title order={3} mb={6}>
              Models, today
            </Title>
            <Figures
              of={[
                ["extraction tokens", of("recollect_model_tokens_today")],
                ["daily limit", cap ? cap.toLocaleString("en") : "none"],
                ["calls", of("recollect_model_calls_today")],
                ["failed", of("recollect_model_failures_today")],
              ]}
            />
          </div>
        )}
      </Answer>
      <Answer of={work}>{(found) => "counts" in found && <AllJobs work={found} />}</Answer>
    </Stack>
  );
}

function Size({ store, of }: { store: Shape<"StoreShape">; of: (metric: string) => number }) {
  const models = Object.entries(store.models);
  return (
    <>
      <Figures
        of={[
          ["users", store.users],
          ["on disk", size(store.size_bytes)],
          ["schema", store.schema],
          ["search index", size(of("recollect_index_bytes"))],
          ["index limit", size(of("recollect_index_limit_bytes"))],
        ]}
      />
      <Text size="sm" c="dimmed" component="div">
        <Mono>{store.database}</Mono>. {models.length ? "Embeddings by " : "No users yet."}
        {models.map(([model, users], at) => (
          <span key={model}>
            {at > 0 && ", "}
            <Mono>{model}</Mono> for {many(users, "user")}
          </span>
        ))}
        {models.length > 1 && ". More than one model: `recollect db reembed` moves everybody to the newest."}
      </Text>
    </>
  );
}

function AllJobs({ work }: { work: Shape<"WorkShape"> }) {
  const { counts, scheduled, lag_seconds, dead } = work;
  const statuses = Object.keys(counts).sort();
  const kinds = [...new Set(statuses.flatMap((status) => Object.keys(counts[status] ?? {})))].sort();
  return (
    <div>
      <Title order={3} mb={6}>
        All users' jobs
      </Title>
      <Text size="sm" c="dimmed">
        {lag_seconds < 1 ? "No delay" : `Delayed by ${Math.round(lag_seconds)} seconds`},{" "}
        {scheduled.toLocaleString("en")} scheduled, {dead.length.toLocaleString("en")} failed.
      </Text>
      {kinds.length > 0 && (
        <WideTable label="All users' jobs" minWidth={320} mt="xs" verticalSpacing={4}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Job</Table.Th>
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
}
