/** The category of a memory. The colour helps whoever knows it; the word is always there. */
import { Badge, type MantineColor } from "@mantine/core";

/** The seven, in the order in which the service preloads them. */
export const CATEGORIES = ["identity", "preference", "relationship", "project", "skill", "fact", "context"];

const COLOURS: Record<string, MantineColor> = {
  identity: "ink",
  preference: "grape",
  relationship: "pink",
  project: "teal",
  skill: "orange",
  fact: "cyan",
  context: "gray",
};

export function CategoryBadge({ category }: { category: string }) {
  return (
    <Badge variant="dot" color={COLOURS[category] ?? "gray"} fw={500}>
      {category}
    </Badge>
  );
}
