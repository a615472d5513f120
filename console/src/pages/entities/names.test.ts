import { describe, expect, it } from "vitest";
import { type Entity, found, merged, nameOf, ordered, typeOf } from "./names";

function entity(key: string, label: string, aliases: string[] = [], facts = 1): Entity {
  return {
    key,
    label,
    type: typeOf(key),
    aliases,
    fact_count: facts,
    last_mentioned: "2026-01-28T10:30:45.123Z",
  };
}

const BOB = entity("person:bob", "Bob", ["person:bobby_tables"], 2);
const ÅKE = entity("person:åke_öberg", "Åke Öberg", [], 5);
const GRAZ = entity("place:graz", "Graz", [], 5);
const ALL = [BOB, ÅKE, GRAZ];

describe("names", () => {
  it("reads type and name from a key", () => {
    expect([typeOf("person:john_doe"), nameOf("person:john_doe")]).toEqual(["person", "John Doe"]);
    expect([typeOf("nonsense"), nameOf("nonsense")]).toEqual(["", "Nonsense"]);
  });

  it("finds by parts of any name, whatever the case and the accents", () => {
    expect(found(ALL, "ake ober")).toEqual([ÅKE]);
    expect(found(ALL, "TABLES")).toEqual([BOB]);
    expect(found(ALL, "  ")).toEqual(ALL);
    expect(found(ALL, "bob graz")).toEqual([]);
  });

  it("orders without touching what it was given", () => {
    expect(ordered(ALL, "facts")).toEqual([ÅKE, GRAZ, BOB]);
    expect(ordered(ALL, "name")).toEqual([ÅKE, BOB, GRAZ]);
    expect(ordered(ALL, "recent")).toBe(ALL);
    expect(ALL[0]).toBe(BOB);
  });

  it("makes one of two names, with the facts and the names of both", () => {
    expect(merged(ALL, "person:bob", "person:åke_öberg")).toEqual([
      { ...ÅKE, aliases: ["person:bob", "person:bobby_tables"], fact_count: 7 },
      GRAZ,
    ]);
    expect(merged(ALL, "person:nobody", "person:bob")).toBe(ALL);
  });
});
