/** Clean-up: a preview of what the curator would do, and doing it. */
import { Button, Group, Stack, Text } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { api, take } from "../../../api/client";
import { tellDone, tellFailed } from "../../../parts/notify";
import { useSession } from "../../../session/session";
import { MEMORIES } from "../cached";
import { AROUND } from "../use-memories";
import { Run } from "./run";
import { summary } from "./summary";

function useRefresh() {
  const cache = useQueryClient();
  return () => {
    for (const queryKey of [MEMORIES, ...AROUND, ["get", "/v1/jobs"]])
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
      tellDone(`Cleaned up: ${summary(run)}.`);
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
            Preview clean-up
          </Button>
          {found && summary(found) !== "" && (
            <Button size="xs" loading={tidy.isPending && !tidy.variables} onClick={() => tidy.mutate(false)}>
              Clean up now
            </Button>
          )}
        </Group>
      )}
      <div aria-live="polite">
        {found && (
          <>
            <Text size="sm" fw={500} mb="xs">
              {summary(found) ? `Preview: ${summary(found)}.` : "Nothing to clean up."}{" "}
              <Text span size="xs" c="dimmed">
                {found.looked_at.toLocaleString("en")} memories checked; nothing is changed yet.
              </Text>
            </Text>
            <Run run={found} />
          </>
        )}
      </div>
    </Stack>
  );
}
