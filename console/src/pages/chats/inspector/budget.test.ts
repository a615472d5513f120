import { describe, expect, it } from "vitest";
import { USUAL_BUDGET } from "../../../api/budget";
import { askedFor, budgetAt, budgetFrom, LEAST, MOST, STEPS, stepOf } from "./budget";

describe("the budget", () => {
  it("goes from the least to the most, always up", () => {
    const budgets = Array.from({ length: STEPS + 1 }, (_, step) => budgetAt(step));
    expect(budgets[0]).toBe(LEAST);
    expect(budgets.at(-1)).toBe(MOST);
    for (let step = 1; step <= STEPS; step += 1) {
      expect(budgets[step]).toBeGreaterThan(budgets[step - 1] ?? 0);
    }
  });

  it("finds the step of every budget that a step gives", () => {
    for (let step = 0; step <= STEPS; step += 1) expect(stepOf(budgetAt(step))).toBe(step);
  });

  it("stays within its ends, whatever stands in an address", () => {
    expect(budgetFrom("")).toBe(USUAL_BUDGET);
    expect(budgetFrom("many")).toBe(USUAL_BUDGET);
    expect(budgetFrom("Infinity")).toBe(USUAL_BUDGET);
    expect(budgetFrom("-5")).toBe(LEAST);
    expect(budgetFrom("1500.4")).toBe(1500);
    expect(budgetFrom("9e9")).toBe(MOST);
  });
});

describe("what is asked", () => {
  it("is no question when only blanks were typed", () => {
    expect(askedFor("  \n ", 500, "UTC", null)).toEqual({ budget: 500, zone: "UTC", record: false });
  });

  it("is the same for the same words, so that the cache knows it", () => {
    expect(askedFor(" Who? ", 500, "UTC", "studio")).toEqual(askedFor("Who?", 500, "UTC", "studio"));
  });

  it("names the persona of the chat, since another one knows other things", () => {
    expect(askedFor("Who?", 500, "UTC", "studio")).toMatchObject({ query: "Who?", persona_id: "studio" });
  });
});
