/** How entities are called, found and ordered; nothing here asks the service. */
import type { Shape } from "../../api/client";

export type Entity = Shape<"EntityShape">;

export const TYPES = ["person", "org", "place", "project"] as const;

export const TYPE_NAMES: Record<string, string> = {
  person: "People",
  org: "Organisations",
  place: "Places",
  project: "Projects",
};

export const ORDERS = { recent: "Last mentioned", facts: "Most facts", name: "By name" };
export type Order = keyof typeof ORDERS;

export function isOrder(said: string): said is Order {
  return said in ORDERS;
}

/** The type that a key names: `person` of `person:john_doe`. */
export function typeOf(key: string): string {
  return key.slice(0, Math.max(0, key.indexOf(":")));
}

/** A name to show for a key that nobody has labelled: `John Doe` of `person:john_doe`. */
export function nameOf(key: string): string {
  const words = key.slice(key.indexOf(":") + 1).split("_");
  return words.map((word) => word.charAt(0).toLocaleUpperCase() + word.slice(1)).join(" ");
}

/** Case and accents do not matter: whoever types `ake` finds Åke. */
function plain(text: string): string {
  return text.normalize("NFD").replace(/\p{M}/gu, "").toLocaleLowerCase();
}

/** Those whose name, or another name of theirs, holds every word that was typed. */
export function found(entities: Entity[], typed: string): Entity[] {
  const words = plain(typed).split(/\s+/).filter(Boolean);
  if (words.length === 0) return entities;
  return entities.filter((entity) => {
    const names = plain([entity.label, ...entity.aliases.map(nameOf)].join(" "));
    return words.every((word) => names.includes(word));
  });
}

/** In the order that was asked for; what is equal stays as the service had it: last mentioned first. */
export function ordered(entities: Entity[], order: Order): Entity[] {
  if (order === "recent") return entities;
  const compare =
    order === "facts"
      ? (a: Entity, b: Entity) => b.fact_count - a.fact_count
      : (a: Entity, b: Entity) => a.label.localeCompare(b.label);
  return [...entities].sort(compare);
}

/** What the list holds after two names became one. */
export function merged(entities: Entity[], from: string, into: string): Entity[] {
  const gone = entities.find((entity) => entity.key === from);
  if (!gone) return entities;
  return entities
    .filter((entity) => entity.key !== from)
    .map((entity) =>
      entity.key === into
        ? {
            ...entity,
            aliases: [...entity.aliases, from, ...gone.aliases].sort(),
            fact_count: entity.fact_count + gone.fact_count,
          }
        : entity,
    );
}

export function counted(count: number, one: string, many = `${one}s`): string {
  return `${count.toLocaleString("en")} ${count === 1 ? one : many}`;
}
