import { readdirSync, readFileSync } from 'node:fs';
import { Chance } from './chance.js';
import {
  type Act,
  commands,
  filesWritten,
  handKinds,
  mishapOf,
  mishaps,
  noTrouble,
  ratesOf,
  type Scenario,
  spans,
  type Turns,
} from './scenario.js';

/** From the root of the project. */
const folder = 'test/simulator/found';
let worlds: readonly (readonly [name: string, world: Scenario])[] | undefined;

/** The worlds that once went wrong: few acts, and each of them rare. */
function found(): NonNullable<typeof worlds> {
  worlds ??= readdirSync(folder)
    .filter((name) => name.endsWith('.json'))
    .sort()
    .map((name) => {
      const { why: _, ...world } = JSON.parse(readFileSync(`${folder}/${name}`, 'utf8')) as Scenario & { why: string };
      return [name, world] as const;
    });
  return worlds;
}

/** One of them; that another one is kept changes few of what the numbers stand for. */
function oneOf(seed: number): Scenario {
  let [most, chosen] = [-1, undefined as Scenario | undefined];
  for (const [name, world] of found()) {
    const weight = new Chance(seed, name).next();
    if (weight > most) [most, chosen] = [weight, world];
  }
  if (chosen === undefined) throw new Error(`${folder} has no world`);
  return chosen;
}

/** A world that goes nearly as one that once went wrong: with other fates, and with something more or less in it. */
export function nearOf(seed: number): Scenario & { readonly seed: number } {
  const chance = new Chance(seed, 'near what went wrong');
  const base = oneOf(seed);
  const turns: Turns = { stacks: base.stacks, commands, hands: handKinds, mishaps, troubled: 500 };
  let { acts } = base;
  for (let left = chance.pick([0, 1, 1, 2, 3]); left > 0; left -= 1) acts = changed(chance, acts, turns);
  const keeps = chance.pick([1000, 1000, 800]);
  const decisions = Object.entries(base.decisions ?? {}).filter(() => chance.happens(keeps));
  const isAtOnce = base.isPrompt === true || base.isByPosition === true;
  return {
    ...base,
    ...{ seed, brief: 500, rates: chance.happens(700) ? noTrouble : ratesOf(chance) },
    lagMs: base.lagMs ?? (isAtOnce ? 0 : chance.pick([0, 0, 45_000])),
    ...(chance.happens(50) ? { isSilent: true as const } : {}),
    ...(chance.happens(50) ? { isTerse: true as const } : {}),
    ...(chance.happens(50) ? { isUnrevised: true as const } : {}),
    acts: acts.toSorted((one, other) => one.atMs - other.atMs),
    decisions: Object.fromEntries(decisions),
  };
}

/** Something comes in between, befalls a command line, or is left out. */
function changed(chance: Chance, acts: readonly Act[], turns: Turns): readonly Act[] {
  const after = chance.pick(acts);
  const [least, most] = chance.pick(spans);
  const atMs = after.atMs + (chance.happens(300) ? chance.between(20, 900) : chance.between(least, most));
  const stack = 'stack' in after ? after.stack : chance.pick(turns.stacks);
  const seed = chance.between(0, 2 ** 31);
  const run = (): Act => ({
    ...{ kind: 'run', atMs, stack, command: chance.pick(turns.commands), seed, skewMs: 0 },
    ...mishapOf(chance, turns),
  });
  switch (chance.between(0, 9)) {
    case 0:
    case 1:
    case 2:
      return [...acts, run()];
    case 3:
      return [...acts, filesWritten(chance, stack, atMs - 1, chance.between(1, 3)), run()];
    case 4:
      return [...acts, filesWritten(chance, stack, atMs, chance.between(1, 3))];
    case 5:
    case 6: {
      const of = chance.happens(600) ? { of: 'the last' as const } : {};
      return [...acts, { kind: 'edit by hand', atMs, how: chance.pick(handKinds), ...of, seed }];
    }
    case 7:
    case 8:
      if (after.kind !== 'command') return acts;
      return acts.map((act) => (act === after ? { ...after, ...mishapOf(chance, { ...turns, troubled: 1000 }) } : act));
    default:
      return acts.length === 1 ? acts : acts.filter((act) => act !== after);
  }
}
