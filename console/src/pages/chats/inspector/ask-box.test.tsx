import { MantineProvider } from "@mantine/core";
import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { AskBox } from "./ask-box";
import { REST } from "./budget";

beforeEach(() => {
  vi.useFakeTimers();
  // What grows with its text listens for fonts, which this document has none of.
  Object.defineProperty(document, "fonts", { value: new EventTarget(), configurable: true });
});
afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

function shown(question = "") {
  const asked: string[] = [];
  render(
    <MantineProvider env="test">
      <AskBox question={question} onAsk={(next) => asked.push(next)} />
    </MantineProvider>,
  );
  return { asked, field: screen.getByLabelText("Question") };
}

it("asks once after a rest, not for every key", () => {
  const { asked, field } = shown();
  for (const value of ["W", "Wh", "Who"]) fireEvent.change(field, { target: { value } });
  vi.advanceTimersByTime(REST - 1);
  expect(asked).toEqual([]);
  vi.advanceTimersByTime(1);
  expect(asked).toEqual(["Who"]);
});

it("asks at once with Enter, and not a second time after the rest", () => {
  const { asked, field } = shown();
  fireEvent.change(field, { target: { value: "Who?" } });
  fireEvent.keyDown(field, { key: "Enter" });
  expect(asked).toEqual(["Who?"]);
  vi.advanceTimersByTime(REST * 2);
  expect(asked).toEqual(["Who?"]);
});

it("takes the question back with Escape", () => {
  const { asked, field } = shown("Who?");
  fireEvent.keyDown(field, { key: "Escape" });
  expect(asked).toEqual([""]);
  expect(field).toHaveValue("");
});
