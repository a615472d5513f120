/** The budget: a slider whose steps multiply, and the number itself for whoever wants it exactly. */
import { NumberInput, Slider, Text } from "@mantine/core";
import { useDebouncedCallback } from "@mantine/hooks";
import { useEffect, useState } from "react";
import { budgetAt, LEAST, MOST, REST, STEPS, stepOf } from "./budget";
import classes from "./inspector.module.css";

const MARKS = [
  { value: stepOf(200), label: "200" },
  { value: stepOf(500) },
  { value: stepOf(1000), label: "1k" },
  { value: stepOf(2000) },
  { value: stepOf(4000), label: "4k" },
  { value: stepOf(8000) },
  { value: stepOf(16_000), label: "16k" },
  { value: stepOf(32_000) },
];

export function BudgetSlider({ budget, onBudget }: { budget: number; onBudget: (budget: number) => void }) {
  const [shown, setShown] = useState(budget);
  const settle = useDebouncedCallback(onBudget, REST);
  useEffect(() => setShown(budget), [budget]);

  function choose(next: number) {
    setShown(next);
    settle(next);
  }

  return (
    <div>
      <Text size="sm" fw={500} component="label" htmlFor="budget" mb={2} display="block">
        Budget in tokens
      </Text>
      <div className={classes.budget}>
        <Slider
          className={classes.slider}
          classNames={{ markLabel: classes.mark ?? "" }}
          thumbLabel="Budget"
          size="sm"
          min={0}
          max={STEPS}
          step={1}
          scale={budgetAt}
          label={(value) => value.toLocaleString("en")}
          marks={MARKS}
          value={stepOf(shown)}
          onChange={(step) => {
            // The slider tells its own step again when the number moved it; that is no choice.
            if (step !== stepOf(shown)) choose(budgetAt(step));
          }}
        />
        <NumberInput
          id="budget"
          size="xs"
          w={92}
          min={LEAST}
          max={MOST}
          step={100}
          allowDecimal={false}
          allowNegative={false}
          thousandSeparator=","
          value={shown}
          onChange={(value) => {
            if (typeof value === "number" && value >= LEAST && value <= MOST && value !== shown)
              choose(value);
          }}
        />
      </div>
    </div>
  );
}
