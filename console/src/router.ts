/**
 * Addresses behind `#`: `#/chats?chat=42&message=7`. The service needs no rule for them, and what is asked there reaches no
 * log. The path names one of seven pages; everything else is a parameter, so that an id may hold any character. A router
 * library was rejected: for seven fixed paths it adds decoding of its own and nothing else.
 */
import { useCallback, useSyncExternalStore } from "react";

function subscribe(tell: () => void): () => void {
  window.addEventListener("hashchange", tell);
  return () => window.removeEventListener("hashchange", tell);
}

function parted(): [path: string, query: string] {
  const whole = window.location.hash.replace(/^#?\/?/, "");
  const at = whole.indexOf("?");
  return at < 0 ? [`/${whole}`, ""] : [`/${whole.slice(0, at)}`, whole.slice(at + 1)];
}

/** What the path is now: `/memories`. */
export function path(): string {
  return parted()[0];
}

/** The same as state. */
export function usePath(): string {
  return useSyncExternalStore(subscribe, path);
}

/** The address of a page with parameters, for `href`; empty ones are left out. */
export function to(path: string, params: Record<string, string> = {}): string {
  const given = new URLSearchParams(Object.entries(params).filter(([, value]) => value)).toString();
  return `#${path}${given ? `?${given}` : ""}`;
}

/** Go to an address that `to` made. */
export function go(address: string, { replace = false }: { replace?: boolean } = {}): void {
  const before = window.location.href;
  if (replace) window.history.replaceState(window.history.state, "", address);
  else window.history.pushState(null, "", address);
  window.dispatchEvent(new HashChangeEvent("hashchange", { oldURL: before, newURL: window.location.href }));
}

/** Change parameters of the page that is shown; empty ones go. */
export function setParams(changes: Record<string, string>, { replace = true } = {}): void {
  const [path, query] = parted();
  go(to(path, { ...Object.fromEntries(new URLSearchParams(query)), ...changes }), { replace });
}

/** One parameter of the address as it is now, for what happens before anything is shown. */
export function param(name: string): string {
  return new URLSearchParams(parted()[1]).get(name) ?? "";
}

/**
 * One parameter of the address as state: a filter, a selection. It survives a reload and can be sent to somebody. Setting
 * it replaces the entry of the history, unless told to `push` one.
 */
export function useParam(name: string): [string, (value: string, how?: { push?: boolean }) => void] {
  const value = useSyncExternalStore(subscribe, () => param(name));
  const set = useCallback(
    (next: string, { push = false }: { push?: boolean } = {}) =>
      setParams({ [name]: next }, { replace: !push }),
    [name],
  );
  return [value, set];
}
