import type { Plan } from '@platform-sync/core/model/plan';
import { type Lookup, lookupIn, workedOut } from '../expressions.js';
import type { Thing } from '../service.js';
import type { Process } from '../simulation.js';
import { goesByFiles, isShownBefore, isToldRight } from './facts.js';
import { Laws } from './laws.js';
import { foundBy, scopeOf, type Surroundings } from './worked-out.js';

/** What an error says of a lookup that finds none, or several. */
const none = /nothing-found {2}There is no (\w+) with (.+)\.$/gm;
const several = /several-found {2}There are (\d+) objects of the type (\w+) with (.+)\.$/gm;

/** A lookup as a plan keeps it: the name of its function, and its arguments. */
const kept = /^yard:\S+?:(\w+) (\{.*\})$/;

/** What files ask in the place of values. */
export class LookupLaws extends Laws {
  /** What each of its lookups found when a plan was made, by the plan's digest. */
  readonly #answers = new Map<string, ReadonlyMap<string, string>>();

  ended(process: Process): void {
    this.#mustFind(process);
    this.#mustFindStill(process);
  }

  /** One that finds none, or several, makes no plan. */
  planned(process: Process, plan: Plan, around: Pick<Surroundings, 'blocks' | 'records'>): void {
    const isStill = stillSince(this.witness, process);
    this.#answers.set(plan.digest, this.#foundNow(plan, isStill));
    const isWhole = plan.partial === undefined && plan.leftOut === undefined && plan.mode === 'apply';
    if (!isWhole || !(goesByFiles(process) || process.argv[0] === 'plan') || !isToldRight(process)) return;
    const doing = new Map(plan.steps.map((step) => [step.address, step]));
    // Of what is not there, and is not made for now, either, nobody asks.
    const held = new Set(plan.notCompared.map(({ address }) => address));
    const all: Surroundings = { ...around, doing, isStill, isMoving: (address) => held.has(address) };
    const finds = (things: readonly Thing[], lookup: Lookup): void => {
      if (things.length !== 1)
        this.blame(`${process.name} plans, and ${JSON.stringify(lookup)} finds ${String(things.length)}`);
    };
    for (const { properties } of around.blocks.values())
      for (const value of Object.values(properties))
        // Where it waits for something, nobody asks yet.
        if (lookupIn(value) !== undefined) workedOut(value, scopeOf(this.witness, all, finds));
  }

  /** What is there, and one, a lookup finds; how many it tells of, there are. */
  #mustFind(process: Process): void {
    if (!isToldRight(process)) return;
    const isStill = stillSince(this.witness, process);
    const count = (kind: string, words: string): number | undefined => {
      const said = [...words.matchAll(/(\w+) "([^"]*)"/g)].map(([, name = '', value = '']) => [name, value]);
      const lookup = { function: `yard:get${kind}`, arguments: Object.fromEntries(said) as Lookup['arguments'] };
      return foundBy(this.witness, { ...lookup, return: 'id' }, lookup.arguments, isStill)?.length;
    };
    for (const [, kind = '', words = ''] of this.#maySlip(process) ? [] : process.out.matchAll(none))
      if ((count(kind, words) ?? 0) > 0) this.blame(`${process.name} does not find the ${kind} with ${words}`);
    for (const [, told, kind = '', words = ''] of process.out.matchAll(several))
      if ((count(kind, words) ?? Number(told)) !== Number(told))
        this.blame(`${process.name} finds ${String(told)} ${kind} with ${words}`);
  }

  /** Where pages go by number, and nothing counts, what follows upon something that ends meanwhile slips between two of them. */
  #maySlip({ startedAt }: Process): boolean {
    const { isByPosition, isUncounted } = this.world.scenario;
    const ended = [...this.world.service.things.values()].filter(
      (thing) => this.world.service.truth(thing) === undefined,
    );
    return (
      isByPosition === true &&
      isUncounted === true &&
      ended.some(({ id }) => (this.witness.touched.get(id)?.at(-1)?.at ?? 0) >= startedAt)
    );
  }

  /** What was reviewed rests on what its lookups found: where one finds another thing, nothing is carried out. */
  #mustFindStill(process: Process): void {
    if (!process.argv.includes('plan.json') || !isToldRight(process)) return;
    const done = process.results.filter(({ steps }) => steps.some(({ outcome }) => outcome === 'done'));
    for (const plan of done.flatMap((result) => process.carriedOut.get(result) ?? [])) {
      const before = this.#answers.get(plan.digest) ?? new Map<string, string>();
      const now = this.#foundNow(plan, stillSince(this.witness, process));
      for (const [asked, ids] of now)
        if ((before.get(asked) ?? ids) !== ids)
          this.blame(`${process.name} carries out what rests on ${asked}, which found ${before.get(asked) ?? ''}`);
    }
  }

  #foundNow({ lookups }: Plan, isStill: (thing: Thing) => boolean): ReadonlyMap<string, string> {
    return new Map(
      Object.keys(lookups).flatMap((asked) => {
        const [, name = '', words = '{}'] = kept.exec(asked) ?? [];
        const said = JSON.parse(words) as Lookup['arguments'];
        const lookup = { function: `yard:${name}`, arguments: said, return: 'id' };
        const all = foundBy(this.witness, lookup, said, isStill);
        return all === undefined ? [] : [[asked, all.map(({ id }) => id).join()] as const];
      }),
    );
  }
}

/** Whoever looks from the beginning of the process on is shown it as it is. */
function stillSince(witness: Laws['witness'], { startedAt }: Process): (thing: Thing) => boolean {
  return (thing) =>
    isShownBefore(thing, startedAt) && (witness.touched.get(thing.id) ?? []).every(({ at }) => at < startedAt);
}
