import { scenarioOf, type Scenario } from './scenario.js';
import { Simulation, type Outcome } from './simulation.js';

/** The program asks by the number of a planted bug whether it is on, and names those that hide each other there. */
interface Switches {
  __planted: (number: number, ...rivals: readonly number[]) => boolean;
}

const on = new Set<number>();
/** Of each bug in how many worlds its place was come to. */
const reached = new Map<number, number>();
const reachedNow = new Set<number>();
/** Of each bug those of which one hides another, itself among them. */
const rivalsOf = new Map<number, readonly number[]>();
let mayAsk = Infinity;
/** More often no world comes to one place: it goes round in it. */
const mostAsked = 300_000;

(globalThis as unknown as Switches).__planted = (number, ...rivals) => {
  for (const each of rivals) reachedNow.add(each);
  if (rivals.length > 0) rivalsOf.set(number, rivals);
  if (!on.has(number)) return false;
  mayAsk -= 1;
  if (mayAsk < 0) throw new Error('a world goes round and round');
  return true;
};

/** Errors that nobody waits for end a process, and are heard of when nothing else is to be done. */
const unheard: unknown[] = [];
process.on('unhandledRejection', (error) => unheard.push(error));

/** So often a world is gone on with that only several bugs make go wrong. */
const mostTogether = 3;
/** So many bugs are tried at once at first, and fewer never; more as long as most worlds go right. */
const fewestAtOnce = 6;

export interface Found {
  readonly number: number;
  readonly seed: number;
  readonly told: string;
  /** Of a core: about what the worlds take in which it was on, up to this one. */
  readonly seconds: number;
}

/**
 * Looks for planted bugs in world after world: with all of them at once, and where that goes wrong, for one that does it alone and
 * without which all goes right (`onUnsound`: it goes wrong without any). So that a bug that is met in few worlds is looked for in as many as there is time for.
 */
export async function search(
  count: number,
  first: number,
  hasTime: () => boolean,
  seconds: () => number,
  onFound: (found: Found) => Promise<void>,
  onUnsound: (seed: number, told: string) => void = () => undefined,
): Promise<{
  readonly left: readonly number[];
  /** Of each bug in how many worlds it was on, and in how many its place was come to. */
  readonly tried: ReadonlyMap<number, number>;
  readonly reached: ReadonlyMap<number, number>;
}> {
  const left = new Set(Array.from({ length: count }, (_, number) => number));
  const tried = new Map<number, number>();
  let [worlds, whole, wholeSeconds, atOnce] = [0, 0, 0, fewestAtOnce];
  for (; left.size > 0 && hasTime(); worlds += 1) {
    const scenario = scenarioOf(first + worlds);
    let [group, together, alone] = [oneOfEach(left, worlds, tried).slice(0, atOnce), 0, 0];
    for (const number of group) tried.set(number, (tried.get(number) ?? 0) + 1);
    for (let isSound: boolean | undefined; group.length > 0;) {
      const begun = seconds();
      const { violations } = await withBugs(scenario, group);
      const suspects = group.filter((number) => reachedNow.has(number));
      if (isSound === undefined) for (const number of suspects) reached.set(number, (reached.get(number) ?? 0) + 1);
      if (violations.length === 0) {
        [whole, wholeSeconds] = [whole + 1, wholeSeconds + seconds() - begun];
        break;
      }
      if (isSound === undefined) {
        const again = seconds();
        const [told] = (await withBugs(scenario, [])).violations;
        isSound = told === undefined;
        if (told !== undefined) onUnsound(scenario.seed, told);
        [whole, wholeSeconds] = [whole + 1, wholeSeconds + seconds() - again];
      }
      const { number, told } = isSound ? await oneOf(scenario, suspects) : {};
      if (number === undefined) break;
      group = group.filter((other) => other !== number);
      if (told === undefined) {
        // Only several do it together: the others are looked at without this one, a few times.
        if ((together += 1) <= mostTogether) continue;
        break;
      }
      alone += 1;
      await onFound({ number, told, seed: scenario.seed, seconds: (wholeSeconds / whole) * (tried.get(number) ?? 1) });
      left.delete(number);
    }
    // To look for one among many takes as long as to try a few by themselves.
    const isMuch = alone > 1 || together > mostTogether;
    atOnce = Math.min(count, Math.max(fewestAtOnce, Math.ceil(isMuch ? atOnce / 2 : atOnce * 1.5)));
  }
  return { left: [...left], tried, reached };
}

/** Of those that hide each other, another one in each world; those that were tried least come first. */
function oneOfEach(left: ReadonlySet<number>, world: number, tried: ReadonlyMap<number, number>): number[] {
  const group = [...left].filter((number) => {
    const rivals = (rivalsOf.get(number) ?? [number]).filter((each) => left.has(each));
    return rivals[world % rivals.length] === number;
  });
  return group.sort((one, other) => (tried.get(one) ?? 0) - (tried.get(other) ?? 0));
}

/** These bugs, and no others, for the worlds that follow. */
export function turnOn(numbers: readonly number[], most = Infinity): void {
  on.clear();
  for (const number of numbers) on.add(number);
  mayAsk = most;
}

async function withBugs(scenario: Scenario, numbers: readonly number[]): Promise<Pick<Outcome, 'violations'>> {
  turnOn(numbers, mostAsked);
  reachedNow.clear();
  try {
    const { violations } = await new Simulation(scenario).run();
    await new Promise((resolve) => setImmediate(resolve));
    return { violations: [...violations, ...unheard.splice(0).map((error) => `nobody waits for: ${String(error)}`)] };
  } catch (error) {
    return { violations: [String(error)] };
  }
}

/**
 * One of them without which those before it go right, and how it goes wrong alone; without that: it takes others, too. None: all
 * of them go right.
 */
async function oneOf(
  scenario: Scenario,
  suspects: readonly number[],
): Promise<Partial<Pick<Found, 'number' | 'told'>>> {
  let [fewest, most] = [0, suspects.length];
  while (most - fewest > 1) {
    const half = Math.ceil((fewest + most) / 2);
    const { violations } = await withBugs(scenario, suspects.slice(0, half));
    if (violations.length === 0) fewest = half;
    else most = half;
  }
  const number = suspects[most - 1];
  if (number === undefined) return {};
  const [told] = (await withBugs(scenario, [number])).violations;
  return { number, ...(told === undefined ? {} : { told }) };
}
