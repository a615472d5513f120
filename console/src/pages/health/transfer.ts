/** Files in and out: an export that is counted as it comes, an import that is counted as it goes. */
import { check, identity, type Shape } from "../../api/client";
import { ApiError, Unreachable } from "../../api/errors";

/** Bytes of the largest file that the service takes in one piece. */
export const LARGEST = 8 * 2 ** 20;
export const PARTS = ["memories", "entities", "chats", "todos", "sessions", "seed"];

/** What a file holds, part by part; null: it is no export that could be read. */
export function contents(written: string): [part: string, count: number][] | null {
  try {
    const document: unknown = JSON.parse(written);
    if (!document || typeof document !== "object" || Array.isArray(document)) return null;
    const parts = document as Record<string, unknown>;
    if (!PARTS.some((part) => part in parts)) return null;
    return PARTS.flatMap((part): [string, number][] => {
      const rows = parts[part];
      return Array.isArray(rows) && rows.length ? [[part, rows.length]] : [];
    });
  } catch {
    return null;
  }
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
export function importFile(file: Blob, told: (share: number) => void): Promise<Shape<"LoadedShape">> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open("POST", "/memories/import");
    request.setRequestHeader("Content-Type", "application/json");
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
      void ApiError.of(answer).then(reject);
    };
    request.send(file);
  });
}
