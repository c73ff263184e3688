import { expect, it } from 'vitest';
import type { Plan } from '@platform-sync/core/model/plan';
import { missingApproval } from '../../src/fleet/console/approval.js';
import { planOf, readingOf, recordOf, type Wanted, type World } from '../engine/plan/made-up-plan.js';

/** The same numbers every time. */
class Chance {
  #seed: number;

  constructor(seed: number) {
    this.#seed = seed;
  }

  below(limit: number): number {
    this.#seed = (Math.imul(this.#seed, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((this.#seed / 2 ** 32) * limit);
  }
}

const fields = ['name', 'note', 'mode', 'owner'] as const;
type Shelves = Record<string, Record<string, string>>;

/** Some shelves that are to be made, some that change, some that stay. */
function shelves(chance: Chance): { readonly wanted: Shelves; readonly recorded: Shelves } {
  const [wanted, recorded]: [Shelves, Shelves] = [{}, {}];
  for (let at = 0; at < 2 + chance.below(3); at += 1) {
    const values = Object.fromEntries(fields.map((one) => [one, `${one}-${String(chance.below(3))}`]));
    wanted[`shelf${String(at)}`] = { ...values, name: `shelf ${String(at)}` };
    if (chance.below(3) > 0)
      recorded[`shelf${String(at)}`] = {
        ...values,
        ...{ name: `shelf ${String(at)}`, note: chance.below(2) === 0 ? 'old' : (values['note'] ?? '') },
      };
  }
  return { wanted, recorded };
}

function worldOf({ wanted, recorded }: ReturnType<typeof shelves>, more: Partial<World> = {}): World {
  const resources: Record<string, Wanted> = {};
  for (const [address, properties] of Object.entries(wanted)) resources[address] = { properties };
  const records = Object.entries(recorded).map(([address, inputs]) => recordOf(address, 'Shelf', inputs));
  return { wanted: resources, records, ...more };
}

/** What others merge and do meanwhile, and what leaves this stack as it is. */
function unrelated(given: ReturnType<typeof shelves>, chance: Chance): World {
  const turned = Object.fromEntries(
    Object.entries(given.wanted)
      .reverse()
      .map(([address, values]) => [address, Object.fromEntries(Object.entries(values).reverse())]),
  );
  const world = worldOf({ ...given, wanted: turned });
  const resources = Object.entries(world.wanted ?? {}).map(([address, one]) => [
    ...([address, chance.below(2) === 0 ? one : { ...one, elsewhere: ['note'] }] as const),
  ]);
  return {
    ...{ ...world, wanted: Object.fromEntries(resources) as Record<string, Wanted> },
    state: { serial: 7 + chance.below(100) },
    more: { meta: { createdAt: '2027-01-01T00:00:00.000Z', host: `host-${String(chance.below(9))}`, requests: 20 } },
  };
}

/** Another value, one shelf more, one less, or a change outside of one that was to stay. */
function other(given: ReturnType<typeof shelves>, chance: Chance, nth: number): World {
  const addresses = Object.keys(given.wanted);
  const at = addresses[chance.below(addresses.length)] ?? '';
  const field = fields[1 + chance.below(fields.length - 1)] ?? 'note';
  const value = `other ${String(nth)}`;
  switch (chance.below(4)) {
    case 0:
      return worldOf({ ...given, wanted: { ...given.wanted, more: { name: value } } });
    case 1: {
      const { [at]: _, ...wanted } = given.wanted;
      // One that was to be made is not any more, or one that is there is deleted.
      return worldOf({ ...given, wanted });
    }
    case 2: {
      const [kept] = Object.entries(given.recorded).filter(([address, values]) =>
        fields.every((one) => given.wanted[address]?.[one] === values[one]),
      );
      if (kept === undefined) break;
      const record = recordOf(kept[0], 'Shelf', kept[1]);
      return worldOf(given, { readings: { [kept[0]]: readingOf(record, { [field]: value }) } });
    }
  }
  return worldOf({ ...given, wanted: { ...given.wanted, [at]: { ...given.wanted[at], [field]: value } } });
}

it('an approval holds for two hundred and fifty effects as they are, whatever else is merged, and for none that is another one', () => {
  const chance = new Chance(50);
  const wrong: unknown[] = [];
  for (let nth = 0; nth < 250; nth += 1) {
    const given = shelves(chance);
    const approved = planOf(worldOf(given));
    const said = new Map([[approved.effectDigest, [{ who: 'bo', names: ['bo'], at: '' }]]]);
    const may = ({ effectDigest }: Plan): boolean =>
      missingApproval({ authors: ['ana'] }, said.get(effectDigest) ?? []) === undefined;
    const verdicts = [approved, planOf(unrelated(given, chance)), planOf(other(given, chance, nth))].map(may);
    if (verdicts.join() !== 'true,true,false') wrong.push([nth, verdicts, given]);
  }
  expect(wrong).toEqual([]);
});
