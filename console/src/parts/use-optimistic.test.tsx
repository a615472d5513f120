import { MantineProvider } from "@mantine/core";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { act, renderHook, waitFor } from "@testing-library/react";
import type { ReactNode } from "react";
import { describe, expect, it } from "vitest";
import { ApiError } from "../api/errors";
import { useOptimistic } from "./use-optimistic";

const KEY = ["get", "/v1/todos", {}];

function start(send: (word: string) => Promise<unknown>) {
  const cache = new QueryClient();
  cache.setQueryData(KEY, ["a"]);
  const wrapper = ({ children }: { children: ReactNode }) => (
    <MantineProvider>
      <QueryClientProvider client={cache}>{children}</QueryClientProvider>
    </MantineProvider>
  );
  const change = (cached: string[], word: string) => [...cached, word];
  const { result } = renderHook(() => useOptimistic({ send, of: ["get", "/v1/todos"], change }), { wrapper });
  return { cache, result };
}

describe("useOptimistic", () => {
  it("shows a change before the service has answered", async () => {
    let answer: (value: unknown) => void = () => undefined;
    const { cache, result } = start(() => new Promise((resolve) => (answer = resolve)));
    act(() => result.current.mutate("b"));
    await waitFor(() => expect(cache.getQueryData(KEY)).toEqual(["a", "b"]));
    expect(result.current.isPending).toBe(true);
    await act(async () => answer(null));
    await waitFor(() => expect(result.current.isSuccess).toBe(true));
  });

  it("goes back when the service refuses", async () => {
    const { cache, result } = start(async () => {
      throw new ApiError(409, "Stale.");
    });
    act(() => result.current.mutate("b"));
    await waitFor(() => expect(result.current.isError).toBe(true));
    expect(cache.getQueryData(KEY)).toEqual(["a"]);
  });
});
