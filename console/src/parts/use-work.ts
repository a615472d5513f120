/** Work that goes on behind. As long as there is some it is looked at often, and when some is done what is shown is asked again. */
import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { $api, type Shape } from "../api/client";

const KEY = "/v1/jobs";
/** Milliseconds between two looks while there is work, and while there is none. */
const BUSY = 1500;
const IDLE = 20_000;

export interface Work {
  /** Jobs that run or are due. Those that wait for their hour do not count. */
  running: number;
  dead: number;
}

export function useWork(): Work {
  const cache = useQueryClient();
  const jobs = $api.useQuery(
    "get",
    KEY,
    {},
    { refetchInterval: ({ state }) => (counted(state.data?.jobs ?? []).running ? BUSY : IDLE) },
  );
  const work = counted(jobs.data?.jobs ?? []);
  const before = useRef(0);
  useEffect(() => {
    if (work.running < before.current) {
      void cache.invalidateQueries({
        predicate: ({ queryKey }) => queryKey[1] !== KEY && queryKey[1] !== "/v1/whoami",
      });
    }
    before.current = work.running;
  }, [cache, work.running]);
  return work;
}

/** How much of it is to be done now. */
export function counted(jobs: Pick<Shape<"JobShape">, "status" | "run_at">[], now = new Date()): Work {
  const due = (job: Pick<Shape<"JobShape">, "status" | "run_at">) =>
    job.status === "running" || (job.status === "pending" && new Date(job.run_at) <= now);
  return { running: jobs.filter(due).length, dead: jobs.filter((job) => job.status === "dead").length };
}
