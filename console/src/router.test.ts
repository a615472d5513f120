import { act, renderHook } from "@testing-library/react";
import { beforeEach, describe, expect, it } from "vitest";
import { go, setParams, to, useParam, usePath } from "./router";

beforeEach(() => go("#/chats", { replace: true }));

describe("router", () => {
  it("gives back any id that was put into an address", () => {
    const { result } = renderHook(() => ({ path: usePath(), chat: useParam("chat")[0] }));
    for (const id of ["42", "a/b?c#d&e=f", "100%", "%26", "🌍 ‮x", "+"]) {
      act(() => go(to("/chats", { chat: id })));
      expect(result.current).toEqual({ path: "/chats", chat: id });
    }
  });

  it("leaves the other parameters when one is set, and drops empty ones", () => {
    const { result } = renderHook(() => useParam("q"));
    act(() => go(to("/memories", { category: "work", q: "tea" })));
    act(() => result.current[1]("coffee & milk"));
    expect(window.location.hash).toBe("#/memories?category=work&q=coffee+%26+milk");
    act(() => setParams({ q: "", category: "" }));
    expect(window.location.hash).toBe("#/memories");
  });
});
