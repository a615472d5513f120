/** A name that somebody chose, among words of the console: of a persona, a tag, a person, a model. */
import { onOneLine } from "./bidi";

export function Name({ children, most = 60 }: { children: string; most?: number }) {
  return <bdi>{onOneLine(children, most)}</bdi>;
}
