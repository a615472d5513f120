/** The cache of answers: how long they count, and what is tried again. */
import { QueryClient } from "@tanstack/react-query";
import { ApiError } from "./errors";

/** Milliseconds during which an answer is not asked for again when a page is opened. */
const FRESH = 10_000;

export function createCache(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: FRESH,
        // What the service refused it would refuse again; what it could not do it may be able to do in a moment.
        retry: (times, error) => times < 2 && !(error instanceof ApiError && error.status < 500),
        refetchOnWindowFocus: true,
        networkMode: "always",
      },
      mutations: { networkMode: "always" },
    },
  });
}
