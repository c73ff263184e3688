import { sameJson } from '@platform-sync/core/model/canonical';
import { fieldsWhere } from '@platform-sync/core/model/fields-where';
import type { FieldRule, ResourceType } from '@platform-sync/core/model/resource-type';
import type { Reading } from '@platform-sync/core/model/snapshot';
import type { RecordedResource } from '@platform-sync/core/model/state';
import type { RefreshContext } from './context.js';

type Found = Extract<Reading, { kind: 'found' }>;

export interface Recorded {
  readonly type: ResourceType;
  readonly record: RecordedResource;
}

const moving = fieldsWhere(({ movesWith }) => movesWith !== undefined);

/**
 * The object with what it does not show itself. That is looked for when the output that moves with it has moved since it was
 * recorded, and a file or the record speaks of it; else it is as recorded. The list said that it moved, so one answer is enough.
 */
export function withKept(context: RefreshContext, object: Recorded, reading: Found): Reading | Promise<Reading> {
  const rules = moving(object.type).filter((rule) => isAsked(context, rule, object.record, reading));
  return rules.length === 0 ? reading : looked(context, object, reading, rules);
}

async function looked(
  context: RefreshContext,
  { type, record }: Recorded,
  reading: Found,
  rules: readonly FieldRule[],
): Promise<Reading> {
  const provider = await context.reads.providerOf(type);
  const before = { ...record.inputs, ...record.outputs };
  const shown = await provider.readWriteOnly(type, reading.identity, { known: { now: reading.values, before } });
  const isMoved = ({ name }: FieldRule): boolean => shown[name] !== undefined;
  const moved = rules.filter((rule) => isMoved(rule) && !context.same(rule, shown[rule.name], before[rule.name]));
  const values = Object.fromEntries(moved.map(({ name }) => [name, shown[name] ?? null]));
  return { ...reading, values: { ...reading.values, ...values } };
}

function isAsked(
  { mode, desired }: RefreshContext,
  { name, movesWith }: FieldRule,
  { address, inputs, outputs }: RecordedResource,
  { values }: Found,
): boolean {
  if (movesWith === undefined) return false;
  const isSpoken = name in inputs || desired.get(address)?.properties.has(name) === true;
  const isMoved = !sameJson(values[movesWith], outputs[movesWith]);
  return isSpoken && (isMoved || mode === 'full' || !(name in outputs));
}
