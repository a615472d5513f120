/**
 * Where the points of the graph stand: forces are let run until they rest, then the picture is shown. It is never seen
 * moving, so there is nothing to be still for whoever asked for less motion; and the same graph always looks the same.
 */
import { forceCollide, forceLink, forceManyBody, forceSimulation, forceX, forceY } from "d3-force";
import { type Graph, type Place, radius } from "./view";

/** Steps after which 300 points rest. */
const STEPS = 260;

/** `aspect`: the width of the picture by its height; the points spread accordingly. */
export function arranged(graph: Graph, aspect = 1.4): Place[] {
  const points = graph.nodes.map(({ key, count }) => ({ key, count, x: 0, y: 0 }));
  const known = new Set(points.map(({ key }) => key));
  const lines = graph.edges
    .filter(({ a, b }) => known.has(a) && known.has(b))
    .map(({ a, b, count }) => ({ source: a, target: b, count }));
  const tied = new Set(lines.flatMap(({ source, target }) => [source, target]));
  // The forces start from a spiral, not from one place: without this two points at one place never part.
  for (const [index, point] of points.entries()) {
    const angle = index * Math.PI * (3 - Math.sqrt(5));
    point.x = 12 * Math.sqrt(index + 0.5) * Math.cos(angle);
    point.y = 12 * Math.sqrt(index + 0.5) * Math.sin(angle);
  }
  const link = forceLink<(typeof points)[number], (typeof lines)[number]>(lines)
    .id(({ key }) => key)
    .distance(34);
  // Who is mentioned alone stands outside and does not push the others apart.
  const pull = ({ key }: (typeof points)[number]) => (tied.has(key) ? 0.05 : 0.025);
  forceSimulation(points)
    .force("link", link)
    .force("charge", forceManyBody().strength(-70).distanceMax(320))
    .force(
      "x",
      forceX<(typeof points)[number]>().strength((point) => pull(point) / aspect),
    )
    .force(
      "y",
      forceY<(typeof points)[number]>().strength((point) => pull(point) * aspect),
    )
    .force(
      "apart",
      forceCollide<(typeof points)[number]>(({ count }) => radius(count) + 5),
    )
    .stop()
    .tick(STEPS);
  return points.map(({ x, y }) => ({ x, y }));
}
