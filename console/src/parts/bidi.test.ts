import { expect, test } from "vitest";
import { contained, cut, named, onOneLine } from "./bidi";

test("what a text opens is closed at its end, in the right order", () => {
  expect(contained("\u202egnp.exe")).toBe("\u202egnp.exe\u202c");
  expect(contained("\u2067a\u202eb\u2066c")).toBe("\u2067a\u202eb\u2066c\u2069\u202c\u2069");
});

test("what closes more than the text opened goes", () => {
  expect(contained("\u2069\u202c\u202ex")).toBe("\u202ex\u202c");
  expect(contained("\u2067a\u202eb\u2069\u202cc\u2069")).toBe("\u2067a\u202eb\u2069c");
});

test("every paragraph is closed by itself", () => {
  expect(contained("\u2067a\n\u2069\u202eb\u2029c")).toBe("\u2067a\u2069\n\u202eb\u202c\u2029c");
});

test("what is balanced, and what has no directions, stays as it is", () => {
  for (const text of ["\u2067\u202ba\u202c\u2069 b", "שלום and hello", "plain\ntext"]) {
    expect(contained(text)).toBe(text);
  }
});

test("a name is one line, of so many characters, and never half an emoji", () => {
  expect(onOneLine("a\nb\u2029\u202ec", 60)).toBe("a b \u202ec\u202c");
  expect(cut("ab😀cd", 4)).toBe("ab…");
});

test("a name in a sentence is set apart only where it could turn the sentence", () => {
  expect(named("Elin")).toBe("Elin");
  expect(named("שלום")).toBe("\u2068שלום\u2069");
  expect(named("\u2069\u202eevil")).toBe("\u2068\u202eevil\u202c\u2069");
});
