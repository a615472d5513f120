/** What an edit changes, and whether the words can be saved. */
import type { Edit, Memory } from "../memory";

/** Characters of a memory, as the service has it. */
const SHORTEST = 10;
const LONGEST = 500;

/** Why the words cannot be saved; nothing if they can. */
export function wordsFault(content: string): string | null {
  const length = [...content.trim()].length;
  if (length < SHORTEST) return `At least ${SHORTEST} characters.`;
  if (length > LONGEST) return `At most ${LONGEST} characters; these are ${length.toLocaleString("en")}.`;
  return null;
}

type Editable = Required<Pick<Edit, "content" | "category" | "importance" | "tags">>;

/** Only what is different: the history shall not tell of what nobody changed. Nothing, if all is as it was. */
export function editOf(before: Pick<Memory, keyof Editable>, after: Editable): Edit | null {
  const content = after.content.trim();
  const edit: Edit = {
    ...(content !== before.content ? { content } : {}),
    ...(after.category !== before.category ? { category: after.category } : {}),
    ...(after.importance !== before.importance ? { importance: after.importance } : {}),
    ...(after.tags.join("\0") !== before.tags.join("\0") ? { tags: after.tags } : {}),
  };
  return Object.keys(edit).length ? edit : null;
}
