import { noTrouble, type Act, type Scenario } from './scenario.js';
import { Simulation, type Outcome } from './simulation.js';

/** What went wrong, whatever the names and moments of it. */
export function kindOf({ violations: [first = ''] }: Pick<Outcome, 'violations'>): string {
  return first.replaceAll(/^after \d+ ms: p\d+|"[^"]*"|\b\w*\d\S*/g, '').slice(0, 120);
}

/** The smallest world that goes wrong in the same way: the fewest acts, people and troubles. */
export async function shrunk(scenario: Scenario, tell: (line: string) => void = () => undefined): Promise<Scenario> {
  const kind = kindOf(await new Simulation(scenario).run());
  const fails = async (smaller: Scenario): Promise<boolean> => kindOf(await new Simulation(smaller).run()) === kind;
  let least = scenario;
  for (let isSmaller = true; isSmaller;) {
    isSmaller = false;
    for (const smaller of smallerThan(least))
      if (await fails(smaller)) {
        least = smaller;
        isSmaller = true;
        tell(`${String(least.acts.length)} acts`);
        break;
      }
  }
  return least;
}

function* smallerThan(scenario: Scenario): Generator<Scenario> {
  const { acts, rates, stacks } = scenario;
  for (let size = Math.ceil(acts.length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2))
    for (let from = 0; from < acts.length; from += size)
      yield { ...scenario, acts: [...acts.slice(0, from), ...acts.slice(from + size)] };
  if (stacks.length > 1)
    yield { ...scenario, stacks: ['one'], acts: acts.filter((act) => !('stack' in act) || act.stack === 'one') };
  for (const name of Object.keys(rates) as (keyof typeof rates)[])
    if (rates[name] > 0) yield { ...scenario, rates: { ...rates, [name]: noTrouble[name] } };
  if (scenario.lagMs > 0) yield { ...scenario, lagMs: 0 };
  for (const [at, act] of acts.entries())
    for (const simpler of simplerThan(act)) yield { ...scenario, acts: acts.with(at, simpler) };
}

function* simplerThan(act: Act): Generator<Act> {
  if (act.kind === 'write files' && act.edits > 1) yield { ...act, edits: act.edits - 1 };
  if (act.kind !== 'run') return;
  if (act.skewMs !== 0) yield { ...act, skewMs: 0 };
  if (act.mishap === undefined) return;
  const { mishap: _, ...rest } = act;
  yield rest;
}
