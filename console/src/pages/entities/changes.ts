/** What a person can do to entities. Each shows at once, and goes back when the service refuses it. */
import type { InfiniteData } from "@tanstack/react-query";
import { api, type Shape, take } from "../../api/client";
import { named } from "../../parts/bidi";
import { tellUndo } from "../../parts/tell-undo";
import { useOptimistic } from "../../parts/use-optimistic";
import { type Entity, merged, nameOf } from "./names";

type Pages = InfiniteData<Shape<"EntitiesShape">>;
export type Proposal = Shape<"ProposedMergeShape">;

export interface Pair {
  from: string;
  into: string;
}

const LIST = ["get", "/v1/entities"];
const ONE = ["get", "/v1/entities/{key}"];
const PROPOSED = ["get", "/v1/entities/proposals"];
const REST = [
  ["get", "/v1/entities/graph"],
  ["get", "/v1/entities/variants"],
  ["get", "/v1/proposals"],
  ["get", "/memories"],
  ["get", "/memories/stats"],
];

/** Change a list that came page by page; nothing new enters it, so every entity stays on its page. */
function inPages(pages: Pages, change: (found: Entity[]) => Entity[]): Pages {
  const kept = new Map(
    change(pages.pages.flatMap((page) => page.entities)).map((entity) => [entity.key, entity]),
  );
  return {
    ...pages,
    pages: pages.pages.map((page) => ({
      ...page,
      entities: page.entities.flatMap((entity) => kept.get(entity.key) ?? []),
    })),
  };
}

function useJoin() {
  return useOptimistic({
    send: ({ from, into }: Pair) =>
      take(api.POST("/v1/entities/merge", { body: { from, into, reason: "merged by hand" } })),
    of: LIST,
    change: (cached: Pages, { from, into }) => inPages(cached, (found) => merged(found, from, into)),
    also: [ONE, PROPOSED, ...REST],
  });
}

function usePart() {
  return useOptimistic({
    send: ({ from, into }: Pair) =>
      take(
        api.DELETE("/v1/entities/{key}/aliases/{alias}", { params: { path: { key: into, alias: from } } }),
      ),
    of: ONE,
    change: (cached: Shape<"DetailsShape">, { from, into }) =>
      cached.key === into ? { ...cached, aliases: cached.aliases.filter((alias) => alias !== from) } : cached,
    also: [LIST, PROPOSED, ...REST],
  });
}

function useDecision() {
  return useOptimistic({
    send: ({ proposal, same }: { proposal: Proposal; same: boolean }) =>
      take(
        api.POST("/v1/proposals/{proposal_id}", {
          params: { path: { proposal_id: proposal.id } },
          body: { accept: same },
        }),
      ),
    of: PROPOSED,
    change: (cached: InfiniteData<Shape<"ProposedMergesShape">>, { proposal }) => ({
      ...cached,
      pages: cached.pages.map((page) => ({
        ...page,
        proposals: page.proposals.filter(({ id }) => id !== proposal.id),
      })),
    }),
    also: [LIST, ONE, ...REST],
  });
}

/** Make names one, take that back, and decide about what is proposed; the way back is offered each time. */
export function useNames() {
  const join = useJoin();
  const part = usePart();
  const decision = useDecision();

  const tellMerged = ({ from, into }: Pair) =>
    tellUndo(`${named(nameOf(from))} is now another name of ${named(nameOf(into))}.`, () =>
      part.mutate({ from, into }),
    );
  const tellApart = ({ from, into }: Pair) =>
    tellUndo(
      `${named(nameOf(from))} and ${named(nameOf(into))} are two.`,
      () => join.mutate({ from, into }),
      "Merge anyway",
    );

  return {
    merge: (pair: Pair, then?: () => void) =>
      after(join.mutateAsync(pair), () => {
        then?.();
        tellMerged(pair);
      }),
    unmerge: (pair: Pair) => after(part.mutateAsync(pair), () => tellApart(pair)),
    decide: (proposal: Proposal, same: boolean) =>
      after(decision.mutateAsync({ proposal, same }), () =>
        same ? tellMerged(proposal) : tellApart(proposal),
      ),
  };
}

/** What is said when it is done; also when whoever asked, a dialog, is closed by then. Failures are told already. */
export function after<Done>(asked: Promise<Done>, then: (done: Done) => void): void {
  asked.then(then, () => undefined);
}

/** Erase an entity and every memory that mentions it. */
export function useForget() {
  return useOptimistic({
    send: (key: string) => take(api.POST("/v1/forget", { body: { entity: key, everything: false } })),
    of: LIST,
    change: (cached: Pages, key) => inPages(cached, (found) => found.filter((entity) => entity.key !== key)),
    also: [PROPOSED, ...REST],
  });
}
