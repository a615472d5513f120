/** What waits for a person: memories that contradict each other, what should be forgotten, and what could be tidied. */
import { Anchor, Stack, Text, Title } from "@mantine/core";
import { CircleCheck } from "lucide-react";
import { $api } from "../../../api/client";
import { Answer } from "../../../parts/answer";
import { EmptyState } from "../../../parts/empty-state";
import { to } from "../../../router";
import classes from "../memories.module.css";
import type { Proposal } from "../memory";
import { Decision } from "./decision";
import { Tidy } from "./tidy";

/** Proposals that are shown at once. */
const SHOWN = 100;

export function useProposals() {
  return $api.useQuery("get", "/v1/proposals", { params: { query: { limit: SHOWN } } });
}

/** Those that are about memories; names that may mean the same are decided on the page of entities. */
export function aboutMemories(proposals: Proposal[]): Proposal[] {
  return proposals.filter((proposal) => proposal.kind !== "merge");
}

export function Decide() {
  const proposals = useProposals();
  return (
    <div className={classes.columns}>
      <section>
        <Title order={2}>Needs your decision</Title>
        <Text size="sm" c="dimmed" mb="md">
          Recollect never removes a memory without asking.
        </Text>
        <Answer of={proposals}>{({ proposals: all }) => <Waiting all={all} />}</Answer>
      </section>
      <section>
        <Title order={2}>Duplicates and faded memories</Title>
        <Text size="sm" c="dimmed" mb="md">
          Cleaned up automatically, after every 25 new memories or within a day. Originals are archived: open
          one to restore it.
        </Text>
        <Tidy />
      </section>
    </div>
  );
}

function Waiting({ all }: { all: Proposal[] }) {
  const open = aboutMemories(all);
  const merges = all.length - open.length;
  return (
    <Stack gap="xl">
      {open.length === 0 && (
        <EmptyState icon={CircleCheck} title="Nothing to decide">
          When two memories cannot both be true, or somebody asked to forget something unclear, both sides are
          shown here.
        </EmptyState>
      )}
      {open.map((proposal) => (
        <Decision key={proposal.id} proposal={proposal} />
      ))}
      {merges > 0 && (
        <Text size="sm" c="dimmed">
          {merges === 1 ? "One pair" : `${merges} pairs`} of names may mean the same:{" "}
          <Anchor size="sm" href={to("/entities", { view: "merges" })}>
            decide under Entities
          </Anchor>
          .
        </Text>
      )}
    </Stack>
  );
}
