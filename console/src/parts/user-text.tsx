/**
 * Words of people and models: always text, never markup. What changes the direction of writing ends with the element, a
 * word without end is broken, and what is very long is cut until somebody asks for all of it.
 */
import { Anchor } from "@mantine/core";
import { useState } from "react";
import { contained, cut } from "./bidi";
import classes from "./user-text.module.css";

/** Characters that are shown at first; a browser lays out 100 kB of one word slowly. */
const SHOWN = 4000;

export interface UserTextProps {
  children: string;
  /** Lines at most; the rest is hidden behind an ellipsis. */
  lines?: number;
  shown?: number;
}

export function UserText({ children: text, lines, shown = SHOWN }: UserTextProps) {
  const [all, setAll] = useState(false);
  const more = !all && text.length > shown;
  return (
    <>
      <span
        className={classes.text}
        dir="auto"
        {...(lines ? { "data-clamped": true, style: { WebkitLineClamp: lines } } : {})}
      >
        {contained(more ? cut(text, shown) : text)}
      </span>
      {more && !lines && (
        <Anchor component="button" type="button" size="xs" onClick={() => setAll(true)}>
          Show all {text.length.toLocaleString("en")} characters
        </Anchor>
      )}
    </>
  );
}
