/** The slider through time: days from the first memory, and the moments that they stand for. */

const DAY = 86_400_000;

/** How many steps there are from the first memory to now. */
export function steps(first: Date, now: Date): number {
  return Math.max(1, Math.ceil((now.getTime() - first.getTime()) / DAY));
}

/** The moment of a step; nothing for the last one, which is now and goes on. */
export function momentOf(step: number, first: Date, now: Date): string {
  if (step >= steps(first, now)) return "";
  return new Date(first.getTime() + step * DAY).toISOString();
}

/** Where a moment stands on the slider; what is no moment stands at now. */
export function stepOf(moment: string, first: Date, now: Date): number {
  const last = steps(first, now);
  const time = new Date(moment).getTime();
  if (!moment || Number.isNaN(time)) return last;
  return Math.min(last, Math.max(0, Math.round((time - first.getTime()) / DAY)));
}
