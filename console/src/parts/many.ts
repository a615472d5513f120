/** How many, in words: "1 message", "2,000 messages". */
export function many(count: number, one: string, more = `${one}s`): string {
  return `${count.toLocaleString("en")} ${count === 1 ? one : more}`;
}
