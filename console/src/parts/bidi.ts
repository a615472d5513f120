/**
 * Words that change the direction of writing, kept from changing it around them. An element that isolates (`bdi`, `dir=auto`)
 * is not enough: browsers spell its borders with the same characters, so a text that closes what it never opened ends the
 * element's isolation, and whatever it opens next turns round the words of the console behind it. Taking all such
 * characters out was rejected: Hebrew and Arabic beside Latin need them to be read.
 */

/** Openers of isolates, of embeddings and overrides, and what closes each. */
const ISOLATES = "\u2066\u2067\u2068";
const EMBEDDINGS = "\u202a\u202b\u202d\u202e";
const END_ISOLATE = "\u2069";
const END_EMBEDDING = "\u202c";
const MARKS = /[\u202a-\u202e\u2066-\u2069]/;
/** Every direction ends at a line break and at some of the control characters, whatever was opened before. */
const PARAGRAPHS = /((?:(?!\t)\p{Cc}|\u2029)+)/u;
/** Letters that are written from right to left, and characters that change directions. */
const TURNING =
  /[\u0590-\u08ff\u200f\u061c\u202a-\u202e\u2066-\u2069\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;

/** The text with everything closed that it opens, and without what closes more than that, paragraph by paragraph. */
export function contained(text: string): string {
  return MARKS.test(text) ? text.split(PARAGRAPHS).map(balanced).join("") : text;
}

function balanced(paragraph: string): string {
  if (!MARKS.test(paragraph)) return paragraph;
  const open: string[] = [];
  let kept = "";
  for (const letter of paragraph) {
    if (ISOLATES.includes(letter)) open.push(END_ISOLATE);
    else if (EMBEDDINGS.includes(letter)) open.push(END_EMBEDDING);
    else if (letter === END_EMBEDDING && open.at(-1) !== END_EMBEDDING) continue;
    else if (letter === END_EMBEDDING) open.pop();
    else if (letter === END_ISOLATE) {
      const from = open.lastIndexOf(END_ISOLATE);
      if (from < 0) continue;
      // What was opened inside of an isolate ends with it.
      open.length = from;
    }
    kept += letter;
  }
  return kept + open.reverse().join("");
}

/** The first characters of a text, with a sign that there are more; no character is cut in half. */
export function cut(text: string, most: number): string {
  return text.length > most ? `${[...text.slice(0, most)].slice(0, -1).join("")}…` : text;
}

/** A name on one line: cut, without breaks, and contained. */
export function onOneLine(name: string, most: number): string {
  return contained(cut(name, most).replace(/[\s\p{Cc}]+/gu, " "));
}

/** A name inside a sentence that can only be a text, such as a label; where it can be an element, `Name` is. */
export function named(name: string, most = 80): string {
  const line = onOneLine(name, most);
  return TURNING.test(line) ? `\u2068${line}\u2069` : line;
}
