/** Who is signed in, for every component. Without somebody, it shows the way in instead of its children. */
import { Center, Loader } from "@mantine/core";
import { type QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { createContext, type ReactNode, useContext, useMemo, useSyncExternalStore } from "react";
import { createCache } from "../api/cache";
import { $api, type Shape } from "../api/client";
import { ApiError } from "../api/errors";
import { ErrorNotice } from "../parts/error-notice";
import { credentials, enter, leave, mode, subscribe } from "./credentials";
import { Login } from "./login";

export interface Session {
  user: string;
  local: boolean;
  version: string;
  /** May change things. */
  writes: boolean;
  /** May see the store as a whole, and act for any user. */
  operates: boolean;
  leave: () => void;
  /** Show the memory of another user; for service keys, and in local mode. */
  become: (user: string) => void;
}

const Here = createContext<Session | null>(null);

export function useSession(): Session {
  const session = useContext(Here);
  if (!session) throw new Error("useSession outside of Entered");
  return session;
}

/** The cache that was made before anything was shown. */
let prepared: QueryClient | undefined;

/**
 * Ask who is there, and what `ahead` wants to know, before anything is shown: then the first thing that is shown is the page.
 * It ends when the service has answered, well or badly.
 */
export async function prepare(ahead: (cache: QueryClient) => Promise<void>): Promise<void> {
  if (!mayAsk(credentials().token)) return;
  const made = createCache();
  // At once: if the page is shown before the answers, it is shown with this cache, and no other user's page gets it later.
  prepared = made;
  await chooseUser(made);
  await Promise.all([made.prefetchQuery($api.queryOptions("get", "/v1/whoami", {})), ahead(made)]);
}

/** The user that a service in local mode acts for when nobody is named. */
const LOCAL_USER = "local";

/** In local mode nobody has to say whose memory to show: the only user of the file, or the first, unless there is `local`. */
async function chooseUser(cache: QueryClient): Promise<void> {
  const { token, user } = credentials();
  if (token || user) return;
  const users = await cache.fetchQuery($api.queryOptions("get", "/v1/users", {})).then(
    (found) => found.users,
    (): string[] => [],
  );
  const [first] = users;
  if (first && !users.includes(LOCAL_USER)) enter({ token, user: first }, { keep: false });
}

export function Entered({ children }: { children: ReactNode }) {
  const shown = useSyncExternalStore(subscribe, credentials);
  // Another token or user means another memory: nothing that was cached may be seen.
  // biome-ignore lint/correctness/useExhaustiveDependencies: made anew for what is shown
  const cache = useMemo(() => {
    const made = prepared ?? createCache();
    prepared = undefined;
    return made;
  }, [shown]);
  return (
    <QueryClientProvider client={cache} key={`${shown.token} ${shown.user}`}>
      <Asked token={shown.token}>{children}</Asked>
    </QueryClientProvider>
  );
}

function Asked({ token, children }: { token: string; children: ReactNode }) {
  const asks = mayAsk(token);
  const whoami = $api.useQuery(
    "get",
    "/v1/whoami",
    {},
    { enabled: asks, staleTime: Number.POSITIVE_INFINITY },
  );

  if (!asks) return <Login />;
  if (whoami.isError) {
    const error: unknown = whoami.error;
    if (error instanceof ApiError && error.status === 401) return <Login />;
    return (
      <Center mih="100dvh" p="md">
        <ErrorNotice error={error} retry={() => void whoami.refetch()} />
      </Center>
    );
  }
  if (!whoami.data) {
    return (
      <Center mih="100dvh">
        <Loader size="sm" aria-label="Signing in" />
      </Center>
    );
  }
  if (whoami.data.user_id === null) return <Login serviceKey={token} />;
  return <Here value={sessionOf(whoami.data, whoami.data.user_id)}>{children}</Here>;
}

/** Whether the service would say who is there. */
function mayAsk(token: string): boolean {
  return Boolean(token) || mode() !== "keys";
}

function sessionOf(found: Shape<"WhoamiShape">, user: string): Session {
  return {
    user,
    local: found.local,
    version: found.version,
    writes: found.scopes.includes("write"),
    operates: found.scopes.includes("service"),
    leave,
    become: (other) => enter({ token: credentials().token, user: other }),
  };
}
