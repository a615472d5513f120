/** Places for the points of a graph, found in a worker; found again when the graph has changed. */
import { useEffect, useRef, useState } from "react";
import type { Graph, Place, Size } from "./view";

export function useArranged(
  graph: Graph,
  { width, height }: Size,
): { places: Place[] | null; failed: boolean } {
  const [found, setFound] = useState<{ graph: Graph; places: Place[] } | null>(null);
  const [failed, setFailed] = useState(false);
  const measured = width > 0 && height > 0;
  // The shape of the pane as it was first: a window that is made wider must not stir everything.
  const aspect = useRef(0);
  if (measured && !aspect.current) aspect.current = Math.min(2.2, Math.max(0.6, width / height));

  useEffect(() => {
    if (!measured) return;
    const worker = new Worker(new URL("./layout.worker.ts", import.meta.url), { type: "module" });
    worker.onmessage = ({ data }: MessageEvent<Place[]>) => setFound({ graph, places: data });
    worker.onerror = () => setFailed(true);
    worker.postMessage({ graph, aspect: aspect.current });
    return () => worker.terminate();
  }, [graph, measured]);

  return { places: found?.graph === graph ? found.places : null, failed };
}
