/** Names that may mean the same: what is proposed, and what was decided. Each decision can be undone. */
import { Button, Group, Stack, Text, Title } from "@mantine/core";
import { Spline } from "lucide-react";
import type { ReactNode } from "react";
import { $api, type Shape } from "../../api/client";
import { Answer } from "../../parts/answer";
import { named } from "../../parts/bidi";
import { EmptyState } from "../../parts/empty-state";
import { UserText } from "../../parts/user-text";
import { useSession } from "../../session/session";
import { useNames } from "./changes";
import classes from "./entities.module.css";
import { nameOf } from "./names";
import { Evidence } from "./pair";
import { useEntities, useProposals } from "./use-entities";

export function NamesView() {
  const proposed = useProposals();
  const { decide } = useNames();
  const { writes } = useSession();
  return (
    <Stack gap="xl" className={classes.within}>
      <Answer of={proposed}>
        {(waiting) =>
          waiting.length === 0 ? (
            <EmptyState icon={Spline} title="Nothing to review">
              When two names look like one, such as Mukesh and Makesh, Recollect asks here before it merges
              them.
            </EmptyState>
          ) : (
            <Part title="Same person?" lead="Suggested automatically. The second name is kept.">
              {waiting.map((proposal) => (
                <li key={proposal.id}>
                  <Evidence pair={proposal}>
                    {writes && (
                      <Group gap="xs">
                        <Button size="xs" onClick={() => decide(proposal, true)}>
                          Merge
                        </Button>
                        <Button size="xs" variant="default" onClick={() => decide(proposal, false)}>
                          Keep separate
                        </Button>
                      </Group>
                    )}
                  </Evidence>
                </li>
              ))}
            </Part>
          )
        }
      </Answer>
      {proposed.hasNextPage && (
        <Button variant="default" size="xs" onClick={proposed.more}>
          Show more
        </Button>
      )}
      <Merged />
      <Apart />
    </Stack>
  );
}

/** Every name that stands for another, whoever decided it. */
function Merged() {
  const { data } = useEntities({ whole: true });
  const { unmerge } = useNames();
  const pairs = (data ?? []).flatMap(({ key, aliases, label }) =>
    aliases.map((alias) => ({ from: alias, into: key, label })),
  );
  return (
    <Decided
      title="Merged"
      lead="By you, or automatically where it was certain."
      pairs={pairs}
      verb="Undo"
      words={({ from, into }) => `${named(nameOf(from))} means ${named(nameOf(into))}`}
      act={unmerge}
    />
  );
}

/** What was rejected, or accepted and taken back: decided, and two. */
function Apart() {
  const proposals = $api.useQuery("get", "/v1/proposals", {
    params: { query: { kind: "merge", status: "any", limit: 100 } },
  });
  const { merge } = useNames();
  const { data } = useEntities({ whole: true });
  const known = new Set((data ?? []).map(({ key }) => key));
  const pairs = (proposals.data?.proposals ?? []).flatMap((proposal: Shape<"ProposalShape">) => {
    const [from, into] = proposal.entity_keys;
    // Since then one may have been forgotten, or become another name of somebody.
    const two = from && into && known.has(from) && known.has(into);
    return two && proposal.status !== "open" ? [{ from, into }] : [];
  });
  return (
    <Decided
      title="Kept separate"
      lead="They won't be suggested again."
      pairs={pairs}
      verb="Merge anyway"
      words={({ from, into }) => `${named(nameOf(from))} is not ${named(nameOf(into))}`}
      act={merge}
    />
  );
}

interface DecidedProps {
  title: string;
  lead: string;
  pairs: { from: string; into: string }[];
  verb: string;
  words: (pair: { from: string; into: string }) => string;
  act: (pair: { from: string; into: string }) => void;
}

function Decided({ title, lead, pairs, verb, words, act }: DecidedProps) {
  const { writes } = useSession();
  if (pairs.length === 0) return null;
  return (
    <Part title={title} lead={lead}>
      {pairs.map((pair) => (
        <li key={`${pair.from} ${pair.into}`}>
          <Group justify="space-between" wrap="nowrap" gap="xs" py={5}>
            <Text size="sm" component="div">
              <UserText shown={200}>{words(pair)}</UserText>
            </Text>
            {writes && (
              <Button
                size="compact-xs"
                variant="subtle"
                style={{ flexShrink: 0 }}
                aria-label={`${verb}: ${words(pair).slice(0, 120)}`}
                onClick={() => act(pair)}
              >
                {verb}
              </Button>
            )}
          </Group>
        </li>
      ))}
    </Part>
  );
}

function Part({ title, lead, children }: { title: string; lead: string; children: ReactNode }) {
  return (
    <section aria-label={title}>
      <Title order={2}>{title}</Title>
      <Text size="xs" c="dimmed" mb="xs">
        {lead}
      </Text>
      <ul className={classes.plain}>{children}</ul>
    </section>
  );
}
