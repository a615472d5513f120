/** Files in and out: an export that is counted as it comes, an import that is counted as it goes. */
import { check, identity, type Shape } from "../../api/client";
import { Unreachable } from "../../api/errors";

/** Bytes of the largest file that the service takes in one piece. */
export const LARGEST = 8 * 2 ** 20;
export const PARTS = ["memories", "entities", "chats", "todos", "sessions", "seed"];

const JSON_WHOLE = "application/json";
const JSON_LINES = "application/x-ndjson";

/** What a file is, as far as it can be told here. */
export interface Look {
  type: string;
  /** What an export of Recollect holds, part by part; null: it is another's, and the service finds out whose. */
  parts: [name: string, count: number][] | null;
}

/** Look at a file before it is sent; null: nobody could read it. */
export function look(written: string): Look | null {
  const document = parsed(written);
  if (document === undefined) {
    const first = written.split("\n").find((line) => line.trim());
    return isObject(parsed(first ?? "")) ? { type: JSON_LINES, parts: null } : null;
  }
  if (!isObject(document)) return null;
  if (!("recollect" in document)) return { type: JSON_WHOLE, parts: null };
  const rows = (part: string) => (document as Record<string, unknown>)[part];
  const parts = PARTS.flatMap((part): [string, number][] => {
    const found = rows(part);
    return Array.isArray(found) && found.length ? [[part, found.length]] : [];
  });
  return { type: JSON_WHOLE, parts };
}

function parsed(written: string): unknown {
  try {
    return JSON.parse(written);
  } catch {
    return undefined;
  }
}

/** A list is one, too. */
function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}

/** The name that the service gave a file. */
export function fileName(disposition: string | null, otherwise: string): string {
  return /filename="([^"/\\]+)"/.exec(disposition ?? "")?.[1] ?? otherwise;
}

/** Ask for everything of the user, and hand it to the browser as a file; `told` hears how many bytes there are. */
export async function exportFile(
  format: string,
  include: string[],
  told: (bytes: number) => void,
): Promise<string> {
  const response = await check(
    await fetch("/memories/export", {
      method: "POST",
      headers: { "Content-Type": "application/json", ...identity() },
      body: JSON.stringify({ format, ...(include.length < PARTS.length ? { include } : {}) }),
    }).catch(() => {
      throw new Unreachable();
    }),
  );
  const pieces: BlobPart[] = [];
  let bytes = 0;
  const reader = response.body?.getReader();
  for (let read = await reader?.read(); read && !read.done; read = await reader?.read()) {
    pieces.push(read.value);
    bytes += read.value.length;
    told(bytes);
  }
  const name = fileName(response.headers.get("Content-Disposition"), `recollect.${format}`);
  save(new Blob(pieces, { type: response.headers.get("Content-Type") ?? "" }), name);
  return name;
}

function save(blob: Blob, name: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  // The browser has taken it by then.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

/** Send a file; `told` hears which share of it is there. `fetch` does not tell, so it is the older way of asking. */
export function importFile(
  file: Blob,
  type: string,
  told: (share: number) => void,
): Promise<Shape<"LoadedShape">> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open("POST", "/memories/import");
    request.setRequestHeader("Content-Type", type);
    for (const [name, value] of Object.entries(identity())) request.setRequestHeader(name, value);
    request.upload.onprogress = ({ loaded, total }) => told(total ? loaded / total : 0);
    request.onerror = () => reject(new Unreachable());
    request.onload = () => {
      if (request.status < 400) return resolve(JSON.parse(request.responseText));
      const id = request.getResponseHeader("X-Request-Id");
      const headers = id ? { "X-Request-Id": id } : undefined;
      const answer = new Response(request.responseText, {
        status: request.status,
        ...(headers ? { headers } : {}),
      });
      void check(answer).catch(reject);
    };
    request.send(file);
  });
}
