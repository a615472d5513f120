/**
 * The one door to the service: a client typed by its description, and the same as queries and mutations.
 *
 *   const chats = $api.useQuery("get", "/v1/chats", { params: { query: { limit: 50 } } });
 *   const answer = await api.PATCH("/v1/todos/{todo_id}", { params: { path: { todo_id } }, body: { status: "done" } });
 *
 * An answer that is no success is thrown as an `ApiError`, everywhere, so `data` is always there.
 */
import createClient, { type Middleware } from "openapi-fetch";
import createQueries from "openapi-react-query";
import { credentials, refused } from "../session/credentials";
import { ApiError, Unreachable } from "./errors";
import type { components, paths } from "./schema";

/** A shape of the description by its name: `Shape<"MemoryShape">`. */
export type Shape<Name extends keyof components["schemas"]> = components["schemas"][Name];

/** The headers that say who is asking. */
export function identity(): Record<string, string> {
  const { token, user } = credentials();
  const said: Record<string, string> = {};
  if (token) said["Authorization"] = `Bearer ${token}`;
  // Names of users may be in any script; a header takes Latin-1 only, and the service reads its bytes as UTF-8.
  if (user) said["X-User-Id"] = String.fromCharCode(...new TextEncoder().encode(user));
  return said;
}

/** Throw what an answer that is no success says; whoever asks with `fetch` itself uses it too. */
export async function check(response: Response): Promise<Response> {
  if (response.ok) return response;
  if (response.status === 401) refused();
  throw await ApiError.of(response);
}

const told: Middleware = {
  onRequest({ request }) {
    for (const [name, value] of Object.entries(identity())) request.headers.set(name, value);
    return request;
  },
  async onResponse({ response }) {
    await check(response);
    return undefined;
  },
  onError({ error }) {
    return error instanceof DOMException && error.name === "AbortError" ? undefined : new Unreachable();
  },
};

export const api = createClient<paths>({ baseUrl: window.location.origin });
api.use(told);

export const $api = createQueries(api);

/** What an answer holds; the client throws instead of answering without it. */
export async function take<Data>(asked: Promise<{ data?: Data }>): Promise<Data> {
  return (await asked).data as Data;
}
