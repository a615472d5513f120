/** What goes with an entity, and what went, in words. */
import type { Shape } from "../../api/client";
import { named } from "../../parts/bidi";
import { counted, nameOf } from "./names";

/** What forgetting will take, one sentence each. */
export function losses(entity: Shape<"DetailsShape">): string[] {
  const shared = entity.neighbours.slice(0, 4).map(({ key, count }) => `${named(nameOf(key))} (${count})`);
  const others = entity.neighbours.length - shared.length;
  return [
    entity.aliases.length
      ? `The entity, and its other names: ${entity.aliases.map((alias) => named(nameOf(alias))).join(", ")}.`
      : "The entity.",
    `${counted(entity.fact_count, "memory", "memories")} that ${entity.fact_count === 1 ? "mentions" : "mention"} it, with their earlier versions, their history and what searches found them by.`,
    ...(shared.length
      ? [
          `What they say about others goes too: ${shared.join(", ")}${others > 0 ? ` and ${counted(others, "other")}` : ""}.`,
        ]
      : []),
  ];
}

/** A receipt in one line: what there was something of. */
export function receipt(found: Shape<"ForgottenShape">["receipt"]): string {
  const parts = Object.entries(found).flatMap(([kind, count]) =>
    typeof count === "number" && count > 0
      ? [`${count.toLocaleString("en")} ${kind.replaceAll("_", " ")}`]
      : [],
  );
  const erased = found.erased_from_disk ? ", erased from disk" : "";
  return parts.length ? `Forgotten: ${parts.join(", ")}${erased}.` : "There was nothing left to forget.";
}
