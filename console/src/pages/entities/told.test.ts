import { describe, expect, it } from "vitest";
import { losses, receipt } from "./told";

const JANE = {
  key: "person:jane",
  label: "Jane",
  type: "person",
  aliases: ["person:janey"],
  fact_count: 3,
  last_mentioned: "2026-01-28T10:30:45.123Z",
  card: null,
  memories: [],
  neighbours: [1, 2, 3, 4, 5, 6].map((number) => ({ key: `place:town_${number}`, count: number })),
};

describe("forgetting", () => {
  it("says beforehand what goes and who loses by it", () => {
    const [names, memories, others] = losses(JANE);
    expect(names).toBe("The entity, and its other names: Janey.");
    expect(memories).toContain("3 memories that mention it");
    expect(others).toContain("Town 1 (1), Town 2 (2), Town 3 (3), Town 4 (4) and 2 others.");
  });

  it("has nothing to say about others where there are none", () => {
    const alone = losses({ ...JANE, aliases: [], neighbours: [], fact_count: 1 });
    expect(alone).toHaveLength(2);
    expect(alone[1]).toContain("1 memory that mentions it");
  });

  it("says afterwards what went, and leaves out what there was nothing of", () => {
    const none = { memories: 0, messages: 0, summaries: 0, pins: 0, todos: 0, vectors: 0 };
    expect(receipt({ ...none, memories: 3, message_vectors: 2, erased_from_disk: true })).toBe(
      "Forgotten: 3 memories, 2 message vectors, erased from disk.",
    );
    expect(receipt({ ...none, erased_from_disk: true })).toBe("There was nothing left to forget.");
  });
});
