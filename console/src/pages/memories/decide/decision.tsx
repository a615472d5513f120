/** One thing to decide, with every memory that it is about. It goes at once, and comes back when the service refuses. */
import { Anchor, Button, Group, Text } from "@mantine/core";
import { api, take } from "../../../api/client";
import { Answer } from "../../../parts/answer";
import { CategoryBadge } from "../../../parts/category-badge";
import { useConfirm } from "../../../parts/confirm";
import { RelativeTime } from "../../../parts/relative-time";
import { useOptimistic } from "../../../parts/use-optimistic";
import { UserText } from "../../../parts/user-text";
import { to } from "../../../router";
import { useSession } from "../../../session/session";
import { MEMORIES } from "../cached";
import classes from "../memories.module.css";
import type { Memory, Proposal } from "../memory";
import { AROUND, useOne } from "../use-memories";

interface Verdict {
  id: string;
  accept: boolean;
  keep?: string;
}

function useDecide() {
  return useOptimistic({
    send: ({ id, ...body }: Verdict) =>
      take(api.POST("/v1/proposals/{proposal_id}", { params: { path: { proposal_id: id } }, body })),
    of: ["get", "/v1/proposals"],
    change: (cached: { proposals: Proposal[] }, { id }) => ({
      ...cached,
      proposals: cached.proposals.filter((item) => item.id !== id),
    }),
    also: [MEMORIES, ...AROUND],
    done: "Decided.",
  });
}

export function Decision({ proposal }: { proposal: Proposal }) {
  const { writes } = useSession();
  const confirm = useConfirm();
  const decide = useDecide();
  const contradiction = proposal.kind === "contradiction";

  async function forgetAll() {
    const many = proposal.memory_ids.length;
    const body = `${many === 1 ? "It is" : `All ${many} are`} erased for good, with older versions and history. This cannot be undone.`;
    if (
      await confirm({
        title: many === 1 ? "Forget this memory?" : "Forget these memories?",
        body,
        verb: "Forget",
      })
    )
      decide.mutate({ id: proposal.id, accept: true });
  }

  return (
    <article aria-label={contradiction ? "Contradiction" : "Wish to forget"}>
      <Text size="sm" component="div" fw={500}>
        {contradiction ? "Both cannot be true: " : "Asked to forget: "}
        <UserText shown={300}>{proposal.reason}</UserText>
      </Text>
      <Text size="xs" c="dimmed" component="div">
        {Math.round(proposal.confidence * 100)} % sure · proposed <RelativeTime at={proposal.created_at} />
      </Text>
      <div className={classes.sides}>
        {proposal.memory_ids.map((memoryId) => (
          <Side
            key={memoryId}
            memoryId={memoryId}
            {...(contradiction && writes
              ? { onKeep: () => decide.mutate({ id: proposal.id, accept: true, keep: memoryId }) }
              : {})}
          />
        ))}
      </div>
      {writes && (
        <Group gap="xs" mt="sm">
          {!contradiction && (
            <Button size="xs" color="red.8" onClick={() => void forgetAll()}>
              Forget
            </Button>
          )}
          <Button
            size="xs"
            variant="default"
            onClick={() => decide.mutate({ id: proposal.id, accept: false })}
          >
            {contradiction ? "Keep both" : "Keep"}
          </Button>
          {contradiction && (
            <Text size="xs" c="dimmed">
              What is not kept is archived; nothing is lost.
            </Text>
          )}
        </Group>
      )}
    </article>
  );
}

function Side({ memoryId, onKeep }: { memoryId: string; onKeep?: () => void }) {
  const one = useOne(memoryId);
  return (
    <div className={classes.side}>
      <Answer of={one}>
        {(memory) => (
          <>
            <Saying memory={memory} />
            {onKeep && (
              <div>
                <Button size="xs" variant="default" onClick={onKeep}>
                  Keep this one
                </Button>
              </div>
            )}
          </>
        )}
      </Answer>
    </div>
  );
}

/** What a memory says, in few words, with a way to all of it. */
export function Saying({
  memory,
}: {
  memory: Pick<Memory, "content" | "category" | "created_at"> & { memory_id: string | null };
}) {
  return (
    <div>
      <Text size="sm" component="div">
        <UserText lines={4} shown={600}>
          {memory.content}
        </UserText>
      </Text>
      <Group gap={6} mt={4}>
        <CategoryBadge category={memory.category} />
        <Text size="xs" c="dimmed" component="span">
          <RelativeTime at={memory.created_at} />
          {memory.memory_id && " · "}
          {memory.memory_id && (
            <Anchor size="xs" href={to("/memories", { memory: memory.memory_id })}>
              open
            </Anchor>
          )}
        </Text>
      </Group>
    </div>
  );
}
