// Of the mutants of engine/apply and engine/refresh 300 are tried, the same ones for the same seed and sources.
// Stryker asks a checker which mutants are worth a run; it files the others under CompileError, which no score counts.
import { CheckStatus } from '@stryker-mutator/api/check';
import { PluginKind, declareClassPlugin } from '@stryker-mutator/api/plugin';

const wanted = 300;
const isSampled = ({ fileName }) => /engine\/(?:apply|refresh)\//.test(fileName);

class Sample {
  static inject = [];

  async init() {}

  /** All at once: what is drawn is drawn of all of them. */
  async group(mutants) {
    return [mutants.map(({ id }) => id)];
  }

  async check(mutants) {
    const seed = Number(process.env.SYNC_MUTATION_SEED ?? 1);
    const drawn = new Set(draw(mutants.filter(isSampled).sort(byPlace), wanted, random(seed)));
    const left = { status: CheckStatus.CompileError, reason: `not among the ${wanted} that seed ${seed} draws` };
    const verdict = (mutant) => (isSampled(mutant) && !drawn.has(mutant) ? left : { status: CheckStatus.Passed });
    return Object.fromEntries(mutants.map((mutant) => [mutant.id, verdict(mutant)]));
  }
}

function byPlace(a, b) {
  const place = ({ fileName, location: { start, end }, mutatorName, replacement }) =>
    JSON.stringify([fileName, start.line, start.column, end.line, end.column, mutatorName, replacement]);
  return place(a) < place(b) ? -1 : 1;
}

/** As many of them as are wanted, each as likely as any other. */
function draw(items, count, next) {
  return items
    .map((item) => [next(), item])
    .sort(([a], [b]) => a - b)
    .slice(0, count)
    .map(([, item]) => item);
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

export const strykerPlugins = [declareClassPlugin(PluginKind.Checker, 'sample', Sample)];
