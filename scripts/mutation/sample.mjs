// Lines of engine/apply and engine/refresh whose mutants are tried, the same ones for the same seed and sources.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { globSync } from 'tinyglobby';

const root = fileURLToPath(new URL('../..', import.meta.url));
/** About one mutant stands on each line of code, so lines are what is drawn. */
const wanted = 300;

/** `src/engine/apply/update.ts:24-24` for each drawn line. */
export function sampledMutants(seed = Number(process.env.SYNC_MUTATION_SEED ?? 1)) {
  const files = globSync(['src/engine/{apply,refresh}/*.ts', '!**/codes.ts'], { cwd: root }).sort();
  const lines = files.flatMap((file) =>
    readFileSync(`${root}${file}`, 'utf8')
      .split('\n')
      .flatMap((text, at) => (isCode(text) ? [`${file}:${at + 1}-${at + 1}`] : [])),
  );
  const next = random(seed);
  return lines
    .map((line) => [next(), line])
    .sort(([a], [b]) => a - b)
    .slice(0, wanted)
    .map(([, line]) => line)
    .sort();
}

/** Something that a mutant could change: neither comment, import, type nor bracket. */
function isCode(text) {
  const line = text.trim();
  return (
    !/^(?:\/\/|\/\*|\*|import |export (?:type|interface) |readonly |[{}()[\];,]*$)/.test(line) &&
    /[=<>!?&|(]/.test(line)
  );
}

/** Mulberry32: small, and the same everywhere. */
function random(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}
