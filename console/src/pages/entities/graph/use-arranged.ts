/**
 * Places for the points of a graph, found in a worker; found again when the graph has changed. Until then the last picture
 * stays, with the graph that it shows: who points at something must not lose it because something else was learnt.
 */
import { useEffect, useRef, useState } from "react";
import type { Graph, Place, Size } from "./view";

export interface Arranged {
  graph: Graph;
  places: Place[];
}

export function useArranged(
  graph: Graph,
  { width, height }: Size,
): { arranged: Arranged | null; failed: boolean } {
  const [arranged, setArranged] = useState<Arranged | null>(null);
  const [failed, setFailed] = useState(false);
  const measured = width > 0 && height > 0;
  // The shape of the pane as it was first: a window that is made wider must not stir everything.
  const aspect = useRef(0);
  if (measured && !aspect.current) aspect.current = Math.min(2.2, Math.max(0.6, width / height));

  useEffect(() => {
    if (!measured) return;
    const worker = new Worker(new URL("./layout.worker.ts", import.meta.url), { type: "module" });
    worker.onmessage = ({ data }: MessageEvent<Place[]>) => setArranged({ graph, places: data });
    worker.onerror = () => setFailed(true);
    worker.postMessage({ graph, aspect: aspect.current });
    return () => worker.terminate();
  }, [graph, measured]);

  return { arranged, failed };
}
