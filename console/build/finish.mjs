/**
 * What follows the build: a compressed form beside every file that gets smaller by it, and the limit of the scripts' size.
 * The service sends the compressed forms as they are.
 */
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { constants, gzipSync } from "node:zlib";

/** Bytes of all scripts together, compressed: what a person may have to load before every page was seen once. */
const LIMIT = 400_000;
const STATIC = new URL("../../src/recollect/server/console/static/assets", import.meta.url).pathname;

const sizes = [];
for (const name of readdirSync(STATIC)) {
  if (!/\.(js|css|svg)$/.test(name)) continue;
  const content = readFileSync(join(STATIC, name));
  const compressed = gzipSync(content, { level: constants.Z_BEST_COMPRESSION });
  if (compressed.length < content.length * 0.9) writeFileSync(join(STATIC, `${name}.gz`), compressed);
  if (name.endsWith(".js")) sizes.push({ name, bytes: compressed.length });
}
const total = sizes.reduce((sum, { bytes }) => sum + bytes, 0);
for (const { name, bytes } of sizes.sort((a, b) => b.bytes - a.bytes).slice(0, 12)) {
  console.log(`${(bytes / 1000).toFixed(1).padStart(7)} kB  ${name}`);
}
console.log(
  `${(total / 1000).toFixed(1).padStart(7)} kB  all ${sizes.length} scripts, gzipped (limit ${LIMIT / 1000} kB)`,
);
if (total > LIMIT) {
  console.error("The scripts of the console are larger than allowed.");
  process.exit(1);
}
