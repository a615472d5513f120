import { describe, expect, it } from "vitest";
import { arranged } from "./layout";
import { type Graph, radius } from "./view";

/** Three hundred entities: thirty hubs with eight around each, and thirty that are mentioned alone. */
function large(): Graph {
  const nodes: Graph["nodes"] = [];
  const edges: Graph["edges"] = [];
  for (let hub = 0; hub < 30; hub++) {
    nodes.push({ key: `org:${hub}`, label: `Hub ${hub}`, type: "org", count: 9 });
    nodes.push({ key: `place:${hub}`, label: `Alone ${hub}`, type: "place", count: 1 });
    for (let leaf = 0; leaf < 8; leaf++) {
      const key = `person:${hub}_${leaf}`;
      nodes.push({ key, label: key, type: "person", count: 1 });
      edges.push({ a: `org:${hub}`, b: key, count: 1 });
    }
  }
  return { nodes, edges };
}

describe("arranged", () => {
  const graph = large();
  const places = arranged(graph);

  it("gives every point of three hundred a place of its own", () => {
    expect(places).toHaveLength(300);
    for (const [index, place] of places.entries()) {
      for (const [other, there] of places.slice(0, index).entries()) {
        const least = radius(graph.nodes[index]?.count ?? 1) + radius(graph.nodes[other]?.count ?? 1);
        expect(Math.hypot(place.x - there.x, place.y - there.y)).toBeGreaterThan(least);
      }
    }
  });

  it("keeps together what is mentioned together", () => {
    const at = new Map(graph.nodes.map(({ key }, index) => [key, places[index]]));
    const far = (a: string, b: string) => {
      const [one, other] = [at.get(a), at.get(b)];
      if (!one || !other) throw new Error("no place");
      return Math.hypot(one.x - other.x, one.y - other.y);
    };
    const near = graph.edges.map(({ a, b }) => far(a, b));
    const mean = near.reduce((sum, each) => sum + each, 0) / near.length;
    expect(mean).toBeLessThan(far("org:0", "org:15") / 2);
  });

  it("looks the same every time", () => {
    expect(arranged(graph)).toEqual(places);
  });

  it("leaves out lines that lead nowhere", () => {
    const node = { key: "person:a", label: "A", type: "person", count: 1 };
    expect(arranged({ nodes: [node], edges: [{ a: "person:a", b: "person:gone", count: 1 }] })).toHaveLength(
      1,
    );
    expect(arranged({ nodes: [], edges: [] })).toEqual([]);
  });
});
