import { compareText, lastKey, parentAddress, type Address } from '@platform-sync/core/model/address';
import { canonicalJson } from '@platform-sync/core/model/canonical';
import type { DesiredResource, DesiredState } from '@platform-sync/core/model/desired';
import type { Diagnostic, Place } from '@platform-sync/core/model/diagnostic';
import { type ResourceType, shortToken } from '@platform-sync/core/model/resource-type';
import type { RecordedResource } from '@platform-sync/core/model/state';
import { defined, type Json, type JsonObject } from '@platform-sync/core/model/value';
import { hasSealed } from '@platform-sync/core/value/secret-parts';
import { templateOf } from '@platform-sync/catalogue/edit/template';
import type { CatalogueChange } from '../drift/places-to-edit.js';
import { expressionOf, isSame, isUnchanged, type Known, type Undone } from './run-changes.js';

/** Something that the catalogue says otherwise than an undo brings back, so that the next apply would change it again. */
export interface Difference {
  readonly address: Address;
  /** Absent: of a whole block. */
  readonly field?: string;
  /** Where the file says it; of what it does not say, where that would stand. */
  readonly place?: Place;
  /** What is to be written; a clause where nobody can. */
  readonly write:
    | { readonly kind: 'value'; readonly change: CatalogueChange }
    | { readonly kind: 'remove' }
    | { readonly kind: 'add'; readonly block: JsonObject; readonly blocks: readonly Block[] }
    | { readonly kind: 'nothing'; readonly why: string };
}

/** A resource that is to be there again: its properties as a file spells them, those included that follow from where it stands. */
export interface Block {
  readonly address: Address;
  readonly type: string;
  readonly properties: JsonObject;
}

/** Every difference, by address and field. `known`: addresses by the ids that the history has. */
export function differencesOf(
  undone: readonly Undone[],
  catalogue: DesiredState,
  known: Known,
  typeOf: (token: string) => ResourceType,
): readonly Difference[] {
  const { resources, sources } = catalogue;
  const missing = new Map(
    undone.flatMap(({ address, before }) =>
      before === undefined || resources.has(address) ? [] : [[address, before] as const],
    ),
  );
  const isTop = (address: Address, among: { readonly has: (one: Address) => boolean }): boolean =>
    !among.has(parentAddress(address) ?? '');
  const made = new Set(undone.flatMap(({ address, before }) => (before === undefined ? [address] : [])));
  return undone.flatMap((each): readonly Difference[] => {
    const { address, before } = each;
    const said = resources.get(address);
    if (before === undefined)
      return said === undefined || !isTop(address, made)
        ? []
        : [{ address, place: sources.place(said.at), write: { kind: 'remove' } }];
    if (said !== undefined) return valuesOf(each, before, said, catalogue, known, typeOf);
    if (!isTop(address, missing)) return [];
    const records = [...missing.values()].filter((one) => `${one.address}/`.startsWith(`${address}/`));
    const parent = resources.get(parentAddress(address) ?? '');
    const block = blockOf(before, records, { above: parent?.type, known, typeOf });
    const place = parent && sources.place(parent.at);
    const blocks = records.map((one) => ({
      address: one.address,
      type: one.type,
      properties: propertiesOf(one, known),
    }));
    return [{ address, ...defined({ place }), write: { kind: 'add', block, blocks } }];
  });
}

function valuesOf(
  { address, after }: Undone,
  before: RecordedResource,
  said: DesiredResource,
  { sources }: DesiredState,
  known: Known,
  typeOf: (token: string) => ResourceType,
): readonly Difference[] {
  if (said.type !== before.type) {
    const why = `it was ${shortToken(before.type)} before: write the block anew`;
    return [{ address, place: sources.place(said.at), write: { kind: 'nothing', why } }];
  }
  const fields = [...new Set([...Object.keys(before.inputs), ...said.properties.keys()])].sort(compareText);
  const isPlaced = (field: string): boolean =>
    !said.propertyKeys.has(field) &&
    typeOf(said.type).nesting.some((nesting) => [nesting.field, ...nesting.inherits].includes(field));
  const values = fields.flatMap((field): readonly Difference[] => {
    const [old, expression, rule] = [before.inputs[field], said.properties.get(field), typeOf(said.type).fields[field]];
    if (rule === undefined || (after !== undefined && isUnchanged(rule, old, after.inputs[field]))) return [];
    const place = sources.place(said.propertyKeys.get(field) ?? said.at);
    const nothing = (why: string): readonly Difference[] => [
      { address, field, place, write: { kind: 'nothing', why } },
    ];
    // Told by itself, and nothing that a file could say.
    if (old !== undefined && hasSealed(old)) return [];
    const [from, to] = [
      expression && templateOf(expression),
      old === undefined ? undefined : spelt(old, known(before.type, field)),
    ];
    if (expression !== undefined && from === undefined) return nothing('it is computed');
    if (isSame(from, to)) return [];
    if (isPlaced(field)) return nothing('it follows from where the block stands');
    const change = { desired: said, field, rule, from, to, isTemplate: true } as const;
    return [{ address, field, place, write: { kind: 'value', change } }];
  });
  return [...values, ...optionsOf(address, before, after, said, sources.place(said.at))];
}

/** Options that state keeps. */
function optionsOf(
  address: Address,
  before: RecordedResource,
  after: RecordedResource | undefined,
  desired: DesiredResource,
  place: Place,
): readonly Difference[] {
  return (['protect', 'retainOnDelete'] as const).flatMap((field): readonly Difference[] => {
    const [old, now] = [before[field], desired.options[field]];
    if (old === now || (after !== undefined && after[field] === old)) return [];
    const change = { desired, field, from: now || undefined, to: old || undefined, isTemplate: true } as const;
    return [{ address, field, place, write: { kind: 'value', change } }];
  });
}

function spelt(value: Json, known: ReturnType<Known>): Json {
  return templateOf(expressionOf(value, known)) ?? null;
}

/** Of a secret there is nothing to write. */
function propertiesOf({ type, inputs }: RecordedResource, known: Known): JsonObject {
  const open = Object.entries(inputs).filter(([, value]) => !hasSealed(value));
  return Object.fromEntries(open.map(([name, value]) => [name, spelt(value, known(type, name))]));
}

interface BlockContext {
  /** Type of the resource that the block stands below. */
  readonly above: string | undefined;
  readonly known: Known;
  readonly typeOf: (token: string) => ResourceType;
}

/** A block as a file has it, with those below it, and without what its place says. */
function blockOf(record: RecordedResource, all: readonly RecordedResource[], context: BlockContext): JsonObject {
  const { type, protect, retainOnDelete } = record;
  const nesting = context.typeOf(type).nesting.find(({ under }) => under === context.above);
  const placed = nesting === undefined ? [] : [nesting.field, ...nesting.inherits];
  const properties = Object.entries(propertiesOf(record, context.known)).filter(([name]) => !placed.includes(name));
  const below = all.filter(({ address }) => parentAddress(address) === record.address);
  const children = below.map((child): readonly [string, JsonObject] => [
    lastKey(child.address),
    blockOf(child, all, { ...context, above: record.type }),
  ]);
  const options = { ...(protect ? { protect } : {}), ...(retainOnDelete ? { retainOnDelete } : {}) };
  return {
    type: shortToken(type),
    ...(properties.length === 0 ? {} : { properties: Object.fromEntries(properties) }),
    ...(Object.keys(options).length === 0 ? {} : { options }),
    ...(children.length === 0 ? {} : { children: Object.fromEntries(children) }),
  };
}

/** What an undo without edits says of a difference. */
export function differenceNotice({ address, field, place, write }: Difference, run: number): Diagnostic {
  const [summary, hint] = words({ address, ...defined({ field }), write });
  return {
    ...{ severity: 'warning', code: 'undo-catalogue', summary, address },
    hint: write.kind === 'nothing' ? hint : `${hint} To write that:\nsync undo ${run} --edit`,
    ...defined({ field, place }),
  };
}

function words({ address, field, write }: Omit<Difference, 'place'>): readonly [string, string] {
  switch (write.kind) {
    case 'remove':
      return [`The catalogue still describes ${address}.`, 'The next apply makes it again, unless it is taken out.'];
    case 'add':
      return [`The catalogue has no ${address}.`, 'The next apply deletes it again, unless it is put back.'];
    case 'nothing':
      return [`The catalogue may say something else about ${field ?? address}: ${write.why}.`, 'Change it by hand.'];
    case 'value': {
      const { to } = write.change;
      const wanted = to === undefined ? 'nothing' : canonicalJson(to).slice(0, 200);
      return [
        `The catalogue says something else about ${field ?? ''}.`,
        `The next apply changes it again, unless the file says ${wanted}.`,
      ];
    }
  }
}
