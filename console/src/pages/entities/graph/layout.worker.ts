/** The forces, off the thread that draws. */
import { arranged } from "./layout";
import type { Graph } from "./view";

addEventListener("message", ({ data }: MessageEvent<{ graph: Graph; aspect: number }>) => {
  postMessage(arranged(data.graph, data.aspect));
});
