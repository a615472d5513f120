/** The budget: a slider whose steps multiply, and the number itself for whoever wants it exactly. */
import { NumberInput, Slider, Text } from "@mantine/core";
import { useDebouncedCallback } from "@mantine/hooks";
import { useEffect, useState } from "react";
import { budgetAt, LEAST, MOST, REST, STEPS, stepOf } from "./budget";
import classes from "./inspector.module.css";

const MARKS = [200, 500, 1000, 2000, 4000, 8000, 16_000, 32_000].map((budget) => ({
  value: stepOf(budget),
  label: budget < 1000 ? String(budget) : `${budget / 1000}k`,
}));

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
