import { noTrouble, type Act, type Scenario } from './scenario.js';
import { Simulation, type Outcome } from './simulation.js';

/** What went wrong, whatever the names and moments of it. */
export function kindOf({ violations: [first = ''] }: Pick<Outcome, 'violations'>): string {
  return first.replaceAll(/^after \d+ ms: \w+|"[^"]*"|\b\w*\d\S*/g, '').slice(0, 120);
}

/**
 * The smallest world that goes wrong in the same way, as a list of events: the fewest acts, people and troubles. Once more as it
 * came out, nothing in it is left to a number, and what is not as usual is left out as far as it may be.
 */
export async function shrunk(scenario: Scenario): Promise<Scenario> {
  const kind = kindOf(await new Simulation(scenario).run());
  const fails: Fails = async (smaller) => kindOf(await new Simulation(smaller).run()) === kind;
  const told = (await new Simulation(await smallest(scenario, fails)).run()).told();
  if (!(await fails(told))) throw new Error('what came out does not fail again as a list of events');
  return smallest(told, fails);
}

type Fails = (scenario: Scenario) => Promise<boolean>;

/** Each pass leaves out what it can; two that leave out nothing more are the end. */
async function smallest(given: Scenario, fails: Fails): Promise<Scenario> {
  let least = given;
  for (let size = Infinity; JSON.stringify(least).length < size;) {
    size = JSON.stringify(least).length;
    least = { ...least, acts: await fewest(least.acts, (acts) => fails({ ...least, acts })) };
    const decided = Object.entries(least.decisions ?? {});
    const kept = await fewest(decided, (some) => fails({ ...least, decisions: Object.fromEntries(some) }));
    if (kept.length < decided.length) least = { ...least, decisions: Object.fromEntries(kept) };
    for (const calmer of calmerThan(least)) if (await fails({ ...least, ...calmer })) least = { ...least, ...calmer };
    for (const at of least.acts.keys())
      for (const simpler of simplerThan(least.acts[at] as Act)) {
        const one = { ...least, acts: least.acts.with(at, simpler) };
        if (await fails(one)) least = one;
      }
  }
  return least;
}

/** Leaves out halves first, and one by one in the end. */
async function fewest<T>(all: readonly T[], fails: (some: readonly T[]) => Promise<boolean>): Promise<readonly T[]> {
  let some = all;
  for (let size = Math.ceil(all.length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2))
    for (let from = 0; from < some.length;) {
      const less = some.toSpliced(from, size);
      if (await fails(less)) some = less;
      else from += size;
    }
  return some;
}

function* calmerThan({ acts, rates, stacks, lagMs = 0 }: Scenario): Generator<Partial<Scenario>> {
  if (stacks.length > 1)
    yield { stacks: ['one'], acts: acts.filter((act) => !('stack' in act) || act.stack === 'one') };
  if (lagMs > 0) yield { lagMs: 0 };
  if (rates === undefined) return;
  yield { rates: noTrouble };
  for (const name of Object.keys(rates) as (keyof typeof noTrouble)[])
    if (rates[name] > 0) yield { rates: { ...rates, [name]: 0 } };
}

function* simplerThan(act: Act): Generator<Act> {
  if (act.kind === 'write files') for (let edits = 1; edits < act.edits; edits += 1) yield { ...act, edits };
  if (act.kind === 'files')
    for (const address of Object.keys(act.resources)) {
      const { [address]: _, ...resources } = act.resources;
      yield { ...act, resources };
    }
  if (act.kind !== 'run' && act.kind !== 'command') return;
  if (act.skewMs !== 0) yield { ...act, skewMs: 0 };
  if (act.mishap === undefined) return;
  const { mishap: _, ...rest } = act;
  yield rest;
}
