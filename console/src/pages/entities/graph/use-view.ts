/** Looking around in the graph: the wheel and two fingers come nearer, dragging moves, a click chooses. */
import { type RefObject, useEffect, useRef, useState } from "react";
import { fitted, type Place, type Size, type View, zoomed } from "./view";

/** Pixels that a finger may stray and still mean a click. */
const STRAYS = 4;

export interface Pointing {
  /** What is under the pointer now; null: it left. */
  onHover: (at: Place | null, view: View) => void;
  onClick: (at: Place, view: View) => void;
}

export function useView(
  svg: RefObject<SVGSVGElement | null>,
  places: Place[],
  size: Size,
  pointing: Pointing,
): [View, (change: (view: View) => View) => void] {
  const [view, setView] = useState(() => fitted(places, size));
  const now = useRef({ view, pointing });
  now.current = { view, pointing };
  const { width, height } = size;

  // Other places or another room: everything is shown again.
  useEffect(() => setView(fitted(places, { width, height })), [places, width, height]);

  useEffect(() => {
    const element = svg.current;
    if (!element) return;
    const fingers = new Map<number, Place>();
    let strayed = false;
    const at = (event: PointerEvent | WheelEvent): Place => {
      const box = element.getBoundingClientRect();
      return { x: event.clientX - box.left, y: event.clientY - box.top };
    };
    const onWheel = (event: WheelEvent) => {
      event.preventDefault();
      setView((old) => zoomed(old, Math.exp(-Math.max(-60, Math.min(60, event.deltaY)) / 250), at(event)));
    };
    const onDown = (event: PointerEvent) => {
      if (fingers.size === 0) strayed = false;
      fingers.set(event.pointerId, at(event));
      if (fingers.size > 1) strayed = true;
    };
    const onMove = (event: PointerEvent) => {
      const before = fingers.get(event.pointerId);
      const here = at(event);
      if (!before) return now.current.pointing.onHover(here, now.current.view);
      if (!strayed && Math.hypot(here.x - before.x, here.y - before.y) < STRAYS) return;
      if (!strayed) element.setPointerCapture(event.pointerId);
      strayed = true;
      const other = [...fingers].find(([id]) => id !== event.pointerId)?.[1];
      fingers.set(event.pointerId, here);
      setView((old) => (other ? pinched(old, other, before, here) : moved(old, before, here)));
    };
    const onUp = (event: PointerEvent) => {
      if (fingers.delete(event.pointerId) && !strayed)
        now.current.pointing.onClick(at(event), now.current.view);
    };
    const onLeave = (event: PointerEvent) => {
      if (!element.hasPointerCapture(event.pointerId)) fingers.delete(event.pointerId);
      now.current.pointing.onHover(null, now.current.view);
    };
    element.addEventListener("wheel", onWheel, { passive: false });
    element.addEventListener("pointerdown", onDown);
    element.addEventListener("pointermove", onMove);
    element.addEventListener("pointerup", onUp);
    element.addEventListener("pointercancel", onLeave);
    element.addEventListener("pointerleave", onLeave);
    return () => {
      element.removeEventListener("wheel", onWheel);
      element.removeEventListener("pointerdown", onDown);
      element.removeEventListener("pointermove", onMove);
      element.removeEventListener("pointerup", onUp);
      element.removeEventListener("pointercancel", onLeave);
      element.removeEventListener("pointerleave", onLeave);
    };
  }, [svg]);

  return [view, setView];
}

function moved(view: View, from: Place, to: Place): View {
  return { ...view, x: view.x + to.x - from.x, y: view.y + to.y - from.y };
}

function pinched(view: View, still: Place, from: Place, to: Place): View {
  const before = Math.max(1, Math.hypot(from.x - still.x, from.y - still.y));
  return zoomed(view, Math.hypot(to.x - still.x, to.y - still.y) / before, still);
}
