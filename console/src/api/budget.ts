/** Tokens of a context when nobody says how many: the service's own default, so that every page begins with the same. */
export const USUAL_BUDGET = 8000;
