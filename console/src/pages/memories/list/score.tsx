/** Scores as small bars: the whole in a row of the list, its terms beside the memory. */
import { Group, Progress, Text } from "@mantine/core";
import classes from "../memories.module.css";
import type { Hit } from "../memory";
import { matchedBy, termsOf } from "./matched";

export function ScoreBar({ score }: { score: number }) {
  return (
    <Group gap={6} wrap="nowrap">
      <Progress
        value={Math.min(1, Math.max(0, score)) * 100}
        w={64}
        size={5}
        aria-label={`Score ${score.toFixed(2)}`}
      />
      <Text size="xs" fw={500} className={classes.number}>
        {score.toFixed(2)}
      </Text>
    </Group>
  );
}

export function ScoreTerms({ hit }: { hit: Hit }) {
  return (
    <div>
      <Text size="sm">
        Score <b>{hit.score.toFixed(2)}</b>, found {matchedBy(hit.explain)}.
      </Text>
      <dl className={classes.terms}>
        {termsOf(hit.explain).map(({ name, value, meaning }) => (
          <div key={name} className={classes.term}>
            <dt>{name}</dt>
            <dd>
              <Progress
                value={Math.min(1, Math.max(0, value)) * 100}
                size={5}
                flex="0 0 5rem"
                color={name === "plausibility" ? "gray.6" : "ink.6"}
                aria-label={`${name} ${value.toFixed(2)}`}
              />
              <span className={classes.number}>{value.toFixed(2)}</span>
              <span className={classes.meaning}>{meaning}</span>
            </dd>
          </div>
        ))}
      </dl>
    </div>
  );
}
