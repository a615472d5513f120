/** The curator: what it would do, doing it, what it did, and taking that back. */
import { Button, Group, Stack, Text, Title } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { $api, api, take } from "../../../api/client";
import { Answer } from "../../../parts/answer";
import { tellDone, tellFailed } from "../../../parts/notify";
import { RelativeTime } from "../../../parts/relative-time";
import { useSession } from "../../../session/session";
import { MEMORIES } from "../cached";
import type { Curation } from "../memory";
import { AROUND } from "../use-memories";
import { Run } from "./run";
import { summary } from "./summary";

/** Past runs that are shown. */
const SHOWN = 10;

function useRefresh() {
  const cache = useQueryClient();
  return () => {
    for (const queryKey of [MEMORIES, ...AROUND, ["get", "/v1/jobs/mine"]])
      void cache.invalidateQueries({ queryKey });
  };
}

export function Tidy() {
  const { writes } = useSession();
  const refresh = useRefresh();
  const tidy = useMutation({
    mutationFn: (dry_run: boolean) => take(api.POST("/memories/consolidate", { body: { dry_run } })),
    onError: tellFailed,
    onSuccess: (run) => {
      if (run.dry_run) return;
      tellDone(`Tidied: ${summary(run)}.`);
      refresh();
    },
  });
  const found = tidy.data?.dry_run ? tidy.data : undefined;
  return (
    <Stack gap="md">
      {writes && (
        <Group gap="xs">
          <Button
            size="xs"
            variant="default"
            loading={tidy.isPending && tidy.variables}
            onClick={() => tidy.mutate(true)}
          >
            Look what could be tidied
          </Button>
          {found && summary(found) !== "" && (
            <Button size="xs" loading={tidy.isPending && !tidy.variables} onClick={() => tidy.mutate(false)}>
              Tidy now
            </Button>
          )}
        </Group>
      )}
      <div aria-live="polite">
        {found && (
          <>
            <Text size="sm" fw={500} mb="xs">
              {summary(found) ? `It would: ${summary(found)}.` : "Nothing to tidy."}{" "}
              <Text span size="xs" c="dimmed">
                {found.looked_at.toLocaleString("en")} looked at, nothing changed yet.
              </Text>
            </Text>
            <Run run={found} />
          </>
        )}
      </div>
      <PastRuns />
    </Stack>
  );
}

function PastRuns() {
  const runs = $api.useQuery("get", "/v1/curations", { params: { query: { limit: SHOWN } } });
  return (
    <div>
      <Title order={3} mb="xs">
        What tidying did
      </Title>
      <Answer of={runs}>
        {({ curations }) =>
          curations.length === 0 ? (
            <Text size="sm" c="dimmed">
              Nothing yet. Runs that changed nothing are not kept.
            </Text>
          ) : (
            <Stack gap="lg">
              {curations.map((run) => (
                <PastRun key={run.run_id} run={run} />
              ))}
            </Stack>
          )
        }
      </Answer>
    </div>
  );
}

function PastRun({ run }: { run: Curation }) {
  const { writes } = useSession();
  const refresh = useRefresh();
  const undo = useMutation({
    mutationFn: (run_id: string) =>
      take(api.DELETE("/v1/curations/{run_id}", { params: { path: { run_id } } })),
    onError: tellFailed,
    onSuccess: () => {
      tellDone("Taken back; it is not done again.");
      refresh();
    },
  });
  return (
    <article aria-label={`Run of ${run.started_at}`}>
      <Group gap="xs" justify="space-between" wrap="nowrap" align="flex-start">
        <Text size="sm">
          {summary(run) || "nothing that is still there"}{" "}
          <Text span size="xs" c="dimmed">
            <RelativeTime at={run.started_at} />
            {run.undone_at && " · taken back"}
          </Text>
        </Text>
        {writes && run.run_id && !run.undone_at && (
          <Button
            size="compact-xs"
            variant="default"
            flex="none"
            loading={undo.isPending}
            onClick={() => run.run_id && undo.mutate(run.run_id)}
          >
            Undo
          </Button>
        )}
      </Group>
      <Run run={run} />
    </article>
  );
}
