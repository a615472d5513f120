/**
 * What the service is sent: a token, and for a service key or in local mode the user it acts for. Kept as long as the tab is
 * open, never longer: a token on a shared machine should end with the window.
 */
const PLACE = "recollect-session";

export interface Credentials {
  token: string;
  user: string;
}

const NOBODY: Credentials = { token: "", user: "" };
const listeners = new Set<() => void>();
let current = stored();

function stored(): Credentials {
  try {
    const kept: unknown = JSON.parse(sessionStorage.getItem(PLACE) ?? "null");
    if (kept && typeof kept === "object" && "token" in kept && typeof kept.token === "string") {
      return { token: kept.token, user: "user" in kept && typeof kept.user === "string" ? kept.user : "" };
    }
  } catch {
    // Storage is forbidden, or somebody wrote into it: as if there were none.
  }
  return NOBODY;
}

export function credentials(): Credentials {
  return current;
}

/** `keep`: also after the page is loaded again. */
export function enter(given: Credentials, { keep = true } = {}): void {
  current = given;
  try {
    if (keep) sessionStorage.setItem(PLACE, JSON.stringify(given));
  } catch {
    // It lasts until the page is loaded again, then.
  }
  for (const tell of listeners) tell();
}

export function leave(): void {
  current = NOBODY;
  try {
    sessionStorage.removeItem(PLACE);
  } catch {
    // There was nothing to remove.
  }
  for (const tell of listeners) tell();
}

/** The service did not accept what was shown: it expired, or was revoked. */
export function refused(): void {
  if (current.token) leave();
}

export function subscribe(tell: () => void): () => void {
  listeners.add(tell);
  return () => listeners.delete(tell);
}

/** Whether the service lets everybody in; null: it did not say, as in `npm run dev`. */
export function mode(): "local" | "keys" | null {
  const said = document.querySelector<HTMLMetaElement>('meta[name="recollect-mode"]')?.content;
  return said === "local" || said === "keys" ? said : null;
}
