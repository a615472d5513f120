/** The shapes that this page speaks of. */
import type { Shape } from "../../api/client";

export type Memory = Shape<"MemoryShape">;
export type Hit = Shape<"HitShape">;
export type Explain = Shape<"ExplainShape">;
export type Change = Shape<"ChangeShape">;
export type Proposal = Shape<"ProposalShape">;
export type Curation = Shape<"CurationShape">;

/** What a person may change by hand. */
export type Edit = Partial<
  Pick<Memory, "content" | "importance" | "category" | "tags" | "pinned" | "status">
>;

export function isHit(memory: Memory | Hit): memory is Hit {
  return "explain" in memory;
}
