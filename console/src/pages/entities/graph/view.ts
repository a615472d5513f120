/** What part of the graph is seen, and which names have room: plain arithmetic, drawn elsewhere. */
import type { Shape } from "../../../api/client";

export type Graph = Shape<"GraphShape">;

export interface Place {
  x: number;
  y: number;
}

/** A place of the graph `p` is drawn at `p * scale + (x, y)`. */
export interface View {
  x: number;
  y: number;
  scale: number;
}

export interface Size {
  width: number;
  height: number;
}

const NEAREST = 8;
const FARTHEST = 0.1;
/** Pixels that stay free around everything. */
const MARGIN = 36;
/** Pixels of a line, and of letters by how wide they are; measuring each name would cost more than a name too few. */
const LINE = 15;
const LETTER = 6.6;
const WIDE = 10.5;
const NARROW = 4;
const IS_WIDE = /[mwMW@%…]|[^\0-\u2e7f]/u;
const IS_NARROW = /[fijlrtI .,:;'|()-]/;
/** Letters of a name that are drawn; the list has all of them. */
const LETTERS = 22;

/** Pixels from the middle of a point to its edge: its area grows with what is known. */
export function radius(count: number): number {
  return 3 + 1.7 * Math.sqrt(count);
}

/** The view that shows every place. */
export function fitted(places: Place[], { width, height }: Size, nearest = 1.6): View {
  if (places.length === 0 || width === 0 || height === 0) return { x: width / 2, y: height / 2, scale: 1 };
  const left = Math.min(...places.map(({ x }) => x));
  const right = Math.max(...places.map(({ x }) => x));
  const top = Math.min(...places.map(({ y }) => y));
  const bottom = Math.max(...places.map(({ y }) => y));
  const room = Math.min(
    Math.max(1, width - 2 * MARGIN) / Math.max(1, right - left),
    Math.max(1, height - 2 * MARGIN) / Math.max(1, bottom - top),
  );
  const scale = Math.min(nearest, Math.max(FARTHEST, room));
  return {
    x: width / 2 - ((left + right) / 2) * scale,
    y: height / 2 - ((top + bottom) / 2) * scale,
    scale,
  };
}

/** Nearer or farther by a factor; what is at `at` stays there. */
export function zoomed(view: View, factor: number, at: Place): View {
  const scale = Math.min(NEAREST, Math.max(FARTHEST, view.scale * factor));
  const real = scale / view.scale;
  return { x: at.x - (at.x - view.x) * real, y: at.y - (at.y - view.y) * real, scale };
}

export function seen(place: Place, view: View, { width, height }: Size): boolean {
  const { x, y } = drawn(place, view);
  return x >= 0 && x <= width && y >= 0 && y <= height;
}

export function drawn(place: Place, view: View): Place {
  return { x: place.x * view.scale + view.x, y: place.y * view.scale + view.y };
}

export function short(label: string): string {
  const letters = [...label.slice(0, 4 * LETTERS)];
  return letters.length > LETTERS ? `${letters.slice(0, LETTERS - 1).join("")}…` : letters.join("");
}

/** Pixels of a name as it is drawn. */
function breadth(label: string): number {
  let sum = 0;
  for (const letter of short(label))
    sum += IS_WIDE.test(letter) ? WIDE : IS_NARROW.test(letter) ? NARROW : LETTER;
  return sum;
}

export interface Named extends Place {
  label: string;
  /** Pixels from the middle of the point to its edge, as it is drawn. */
  gap: number;
  /** 2: it is named whatever it covers; 1: before all others; 0: in its order. */
  rank?: 0 | 1 | 2;
}

/** The middle of a name, by the index of what it names. */
export interface Label extends Place {
  index: number;
}

interface Box {
  left: number;
  right: number;
  top: number;
  bottom: number;
}

function covers(box: Box, other: Box): boolean {
  return box.left < other.right && box.right > other.left && box.top < other.bottom && box.bottom > other.top;
}

/** Below, above, right of and left of its point, in this order; never outside of what is seen. */
function spots(name: Named, view: View, { width, height }: Size): Place[] {
  const { x, y } = drawn(name, view);
  const half = breadth(name.label) / 2;
  const away = name.gap + LINE / 2 + 1;
  const wanted = [
    { x, y: y + away },
    { x, y: y - away },
    { x: x + name.gap + half + 4, y },
    { x: x - name.gap - half - 4, y },
  ];
  return wanted.map((spot) => ({
    x: Math.max(half + 2, Math.min(width - half - 2, spot.x)),
    y: Math.max(LINE / 2, Math.min(height - LINE / 2, spot.y)),
  }));
}

/** The names that are drawn, and where: the first come first, and no name covers another. */
export function labelled(names: Named[], view: View, size: Size): Label[] {
  const taken: Box[] = [];
  const placed: Label[] = [];
  const order = [...names.keys()].sort((a, b) => (names[b]?.rank ?? 0) - (names[a]?.rank ?? 0));
  for (const index of order) {
    const name = names[index];
    if (!name || !seen(name, view, size)) continue;
    const half = breadth(name.label) / 2;
    const boxed = (spot: Place): Box => ({
      left: spot.x - half,
      right: spot.x + half,
      top: spot.y - LINE / 2,
      bottom: spot.y + LINE / 2,
    });
    const free = spots(name, view, size);
    const spot = free.find((place) => !taken.some((other) => covers(boxed(place), other)));
    const chosen = spot ?? (name.rank === 2 ? free[0] : undefined);
    if (!chosen) continue;
    taken.push(boxed(chosen));
    placed.push({ index, ...chosen });
  }
  return placed;
}

/** Who is mentioned with whom, for looking up. */
export function neighbourhood(edges: { a: string; b: string }[]): Map<string, Set<string>> {
  const found = new Map<string, Set<string>>();
  for (const { a, b } of edges) {
    found.set(a, (found.get(a) ?? new Set()).add(b));
    found.set(b, (found.get(b) ?? new Set()).add(a));
  }
  return found;
}

/** The point under the pointer, by its index: the one whose middle is nearest, within reach; -1: none. */
export function nearest(places: (Place & { gap: number })[], view: View, at: Place): number {
  let best = -1;
  let least = Number.POSITIVE_INFINITY;
  for (const [index, place] of places.entries()) {
    const { x, y } = drawn(place, view);
    const far = Math.hypot(x - at.x, y - at.y);
    if (far <= Math.max(10, place.gap * view.scale + 3) && far < least) [best, least] = [index, far];
  }
  return best;
}
