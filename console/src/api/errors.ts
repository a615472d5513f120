/** What can go wrong on the way: the service refused, or was not reached. Each says what a person can do about it. */

export class ApiError extends Error {
  override name = "ApiError";

  constructor(
    readonly status: number,
    message: string,
    readonly requestId: string | null = null,
    readonly retryAfter: number | null = null,
  ) {
    super(message);
  }

  /** The error that an answer tells of; its body may be anything. */
  static async of(response: Response): Promise<ApiError> {
    let message = "";
    try {
      const body: unknown = await response.clone().json();
      if (body && typeof body === "object" && "error" in body && typeof body.error === "string")
        message = body.error;
    } catch {
      // Not JSON: a proxy in between may have answered.
    }
    const wait = Number(response.headers.get("Retry-After"));
    return new ApiError(
      response.status,
      message || `The service answered ${response.status}.`,
      response.headers.get("X-Request-Id"),
      Number.isFinite(wait) && wait > 0 ? wait : null,
    );
  }
}

export class Unreachable extends Error {
  override name = "Unreachable";

  constructor() {
    super("Can't reach the server.");
  }
}

/** One sentence that says what to do next; empty when the message says it all. */
export function advice(error: unknown): string {
  if (error instanceof Unreachable) return "Check that it is running, then try again.";
  if (!(error instanceof ApiError)) return "";
  if (error.status === 403) return "Sign in with a token that may do this.";
  if (error.status === 404) return "It may have been forgotten meanwhile; reload the page.";
  if (error.status === 409) return "Somebody changed it meanwhile. Reload, look again, then repeat.";
  if (error.status === 429) return `Wait ${error.retryAfter ?? "a few"} seconds, then try again.`;
  if (error.status === 503) return "The database or the worker does not answer; see Health.";
  if (error.status >= 500 && error.requestId) return `The log has more under request id ${error.requestId}.`;
  return "";
}

/** What is wrong, in a sentence. */
export function sentence(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
