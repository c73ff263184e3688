import { planHooks } from '@platform-sync/platform/hooks/plan-hooks';
import { style } from '@platform-sync/platform/style';
import { withOwnWords } from '@platform-sync/platform/wire';
import { definitionFiles } from '@platform-sync/rest/schema/definition-files';
import { createBody } from '@platform-sync/rest/encode';
import { nestedRecord } from '@platform-sync/rest/member-paths';
import { itemPath } from '@platform-sync/rest/path';
import { fieldName } from '@platform-sync/rest/rest-type';
import { definedTypes } from '@platform-sync/rest/resource-type';
import type { FieldRule, ResourceType } from '@platform-sync/core/model/resource-type';
import type { Identity } from '@platform-sync/core/model/state';
import { isObject, type Json, type JsonObject } from '@platform-sync/core/model/value';
import type { World } from '../harness/world.js';
import { kindOf } from './all-types.js';

export const { restOf } = definedTypes({
  ...{ provider: 'platform', source: definitionFiles('platform', withOwnWords), style, hooks: planHooks },
});

/** True for the field that holds what an object is called in its path. */
export function isOwnName(type: ResourceType, { name }: FieldRule): boolean {
  return restOf(type).idField === name;
}

export interface Edit {
  readonly type: ResourceType;
  readonly identity: Identity;
  readonly field: FieldRule;
  readonly value: Json;
}

type Rows = Readonly<Record<string, readonly (JsonObject & { readonly id: string; readonly object?: JsonObject })[]>>;

/** Changes objects behind our back, each in the collection that the sandbox has it in. */
export async function editObjects(world: World, edits: readonly Edit[]): Promise<void> {
  const { body } = await world.call('GET', '/_sandbox/objects');
  const rows = new Map(
    Object.entries(body as unknown as Rows).flatMap(([collection, all]) =>
      all.map((row) => [row.id, { collection, row }] as const),
    ),
  );
  for (const { type, identity, field, value } of edits) {
    const rest = restOf(type);
    const path = itemPath(rest, rest.item, identity);
    const found = [path, `${path}/only`, identity.id].flatMap((id) => rows.get(id) ?? [])[0];
    if (found === undefined) throw new Error(`the sandbox has no ${path}`);
    const { collection, row } = found;
    const { shown } = rest.fields[field.name] ?? {};
    const sent = bodyOf(type, field, value);
    const body = shown === undefined ? sent : nestedRecord([[shown, Object.values(sent)[0]]]);
    const wire = isObject(value) ? withoutOthers(body, row.object ?? row) : body;
    const patch = row.object === undefined ? wire : { object: { ...wire, ...later(row.object) } };
    const { status } = await world.call('POST', `/_sandbox/objects/${collection}/${encodeURIComponent(row.id)}`, patch);
    if (status !== 200) throw new Error(`${path} could not be edited`);
  }
}

/** The field alone, as bodies have it; a field of one kind of objects is only in bodies of those. */
function bodyOf(type: ResourceType, field: FieldRule, value: Json): JsonObject {
  const rest = restOf(type);
  const { by } = rest.definition.union ?? {};
  if (by === undefined || by === field.name) return createBody(type, rest, { [field.name]: value });
  const { [fieldName(rest, by)]: _, ...body } = createBody(type, rest, {
    [by]: kindOf(type, by) ?? null,
    [field.name]: value,
  });
  return body;
}

/** A record in the place of the one that is there: its other members go. */
function withoutOthers(body: JsonObject, old: JsonObject): JsonObject {
  const replaced = Object.entries(body).map(([name, record]): [string, Json] => {
    const before = old[name];
    if (!isObject(record) || !isObject(before)) return [name, record];
    const gone = Object.fromEntries(Object.keys(before).map((key) => [key, null]));
    return [name, { ...gone, ...withoutOthers(record, before) }];
  });
  return Object.fromEntries(replaced);
}

/** Whoever changes an object moves its time. */
function later({ updated_at: time }: JsonObject): JsonObject {
  if (typeof time === 'number') return { updated_at: time + 1 };
  return typeof time === 'string' ? { updated_at: '2031-01-01T00:00:00.000Z' } : {};
}
