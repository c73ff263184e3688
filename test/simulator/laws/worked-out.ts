import type { Json, JsonObject } from '@platform-sync/core/model/value';
import type { Block } from '../catalogue.js';
import { isExpression, late, type Lookup, type Referred, referredIn, type Scope, workedOut } from '../expressions.js';
import type { PlanStep } from '@platform-sync/core/model/plan';
import type { Collection, Thing } from '../service.js';
import type { Witness } from '../witness.js';
import { keyFields, type Recorded, typeNames } from './facts.js';

/** What expressions of the files of one stack go by. */
export interface Surroundings {
  readonly blocks: ReadonlyMap<string, Block>;
  readonly records: ReadonlyMap<string, Recorded>;
  /** What a plan does, by address. */
  readonly doing: ReadonlyMap<string, Pick<PlanStep, 'action' | 'fields'>>;
  /** Whoever looks is shown it as it is. */
  readonly isStill: (thing: Thing) => boolean;
  /** Where something is in motion. */
  readonly isMoving: (address: string) => boolean;
}

/** A block with values in the place of expressions; undefined: something that one of them rests on is in motion. */
export function blockOf(witness: Witness, around: Surroundings, block: Block): Block | undefined {
  if (!Object.values(block.properties).some(isExpression)) return block;
  const scope = scopeOf(witness, around);
  const said = Object.entries(block.properties).map(([name, value]): readonly [string, Json | undefined] => [
    name,
    name === 'siteId' && typeof value === 'string' ? value : workedOut(value, scope),
  ]);
  if (said.some(([, value]) => value === undefined)) return undefined;
  return { ...block, properties: Object.fromEntries(said) as Block['properties'] };
}

/** The same where what is in motion stays as it is written. */
export function knownPartOf(witness: Witness, around: Surroundings, block: Block): Block {
  const scope = scopeOf(witness, around);
  const said = Object.entries(block.properties).map(([name, value]) => [
    name,
    name === 'siteId' && typeof value === 'string' ? value : (workedOut(value, scope) ?? value),
  ]);
  return { ...block, properties: Object.fromEntries(said) as Block['properties'] };
}

/** `finds` hears what each lookup finds that is asked. */
export function scopeOf(
  witness: Witness,
  around: Surroundings,
  finds: (things: readonly Thing[], lookup: Lookup) => void = () => undefined,
): Scope {
  const { blocks, records, doing, isStill, isMoving } = around;
  const isNew = (address: string): boolean => ['create', 'replace'].includes(doing.get(address)?.action ?? '');
  const isChanged = ([address, field]: Referred): boolean =>
    doing.get(address)?.fields.some((each) => each.field === field) === true;
  return {
    property: (address, field) => {
      const said = blocks.get(address)?.properties[field];
      if (said !== undefined) return said;
      if (isMoving(address)) return undefined;
      if (isNew(address)) return late;
      const record = records.get(address);
      const thing = record === undefined ? undefined : witness.thingOf(record.type, record.id);
      if (thing === undefined || !isStill(thing)) return undefined;
      return field === 'id' ? record?.id : (witness.world.service.truth(thing)?.[field] ?? undefined);
    },
    found: (lookup, asked) => {
      // Nobody asks about what is not there yet, or is not called so yet.
      const about = Object.values(lookup.arguments).flatMap(referredIn);
      if (about.some(([address]) => isMoving(address))) return undefined;
      if (about.some((each) => isNew(each[0]) || isChanged(each))) return late;
      const things = foundBy(witness, lookup, asked, isStill);
      if (things !== undefined) finds(things, lookup);
      const [only, ...others] = things ?? [];
      if (only === undefined || others.length > 0) return undefined;
      const values: JsonObject = witness.world.service.truth(only) ?? {};
      return lookup.return === 'id' ? only.id : values[lookup.return];
    },
  };
}

/** All that a lookup finds; undefined: something of the name is in motion. */
export function foundBy(
  { world: { service } }: Witness,
  lookup: Lookup,
  { name, siteId: home }: Lookup['arguments'],
  isStill: (thing: Thing) => boolean,
): readonly Thing[] | undefined {
  const kind = lookup.function.slice('yard:get'.length);
  const collection = (Object.keys(typeNames) as Collection[]).find((each) => typeNames[each] === kind) ?? 'sites';
  const field = keyFields[collection];
  const called = [...service.things.values()].filter(
    (thing) =>
      thing.collection === collection &&
      thing.home === home &&
      thing.history.some(({ values }) => values?.[field] === name),
  );
  if (!called.every(isStill)) return undefined;
  return called.filter((thing) => service.truth(thing)?.[field] === name);
}
