import type {
  CallOptions,
  Provider,
  ReadWriteOnlyOptions,
  RemoteObject,
  UpdateRequest,
} from '@platform-sync/core/model/provider';
import type { ResourceType } from '@platform-sync/core/model/resource-type';
import type { Identity } from '@platform-sync/core/model/state';
import { ownMember, type Json, type JsonObject } from '@platform-sync/core/model/value';
import { createObject, deleteObject, updateObject } from './write.js';
import { findObjects } from './find.js';
import { askAhead } from './list.js';
import { listObjects, readObject } from './reading.js';
import type { RestType } from './rest-type.js';
import type { Session } from './session.js';
import { asList, asObject, asText } from './http/json.js';
import type { RestCode } from '@platform-sync/core/generated/codes';

/** Reads write-only fields where else the platform shows them. */
export type ReadWriteOnly = (
  session: Session,
  identity: Identity,
  options: ReadWriteOnlyOptions,
) => Promise<JsonObject>;

/** Writes fields of an existing object where else the platform keeps them. */
type WriteKept = (session: Session, request: UpdateRequest, options: CallOptions) => Promise<void>;

/** The part of a type's hooks that makes calls, by the names definitions use. */
export interface CallHooks {
  readonly readWriteOnly?: Readonly<Record<string, ReadWriteOnly>>;
  readonly writeKept?: Readonly<Record<string, WriteKept>>;
}

type ObjectCalls = Pick<
  Provider,
  'list' | 'ahead' | 'read' | 'readWriteOnly' | 'find' | 'create' | 'update' | 'delete'
>;

/** All calls about objects, each as the type's definition says. */
export function objectCalls(
  session: Session,
  typeOf: (type: ResourceType) => RestType,
  hooks: CallHooks = {},
): ObjectCalls {
  return {
    list: (type, scope, options = {}) => listObjects(session, type, typeOf(type), scope, options),
    ahead: (type, scope, options) => askAhead(session, typeOf(type), scope, options),
    read: async (type, identity, options = {}) => {
      const rest = typeOf(type);
      return withRemarks(session, rest, await readObject(session, type, rest, identity, options));
    },
    readWriteOnly: async (type, identity, options = {}) => {
      const hook = hookOf(typeOf(type), hooks, 'readWriteOnly');
      return hook === undefined ? {} : hook(session, identity, options);
    },
    find: (type, scope, inputs, options = {}) => findObjects(session, type, typeOf(type), scope, inputs, options),
    create: async (type, scope, inputs, options = {}) => {
      const rest = typeOf(type);
      return withRemarks(session, rest, await createObject(session, type, rest, scope, inputs, options));
    },
    update: async (type, request, options = {}) => {
      const rest = typeOf(type);
      const kept = Object.keys(request.set).filter((name) => type.fields[name]?.movesWith !== undefined);
      if (kept.length > 0) await hookOf(rest, hooks, 'writeKept')?.(session, request, options);
      const own = Object.entries(request.set).filter(([name]) => !kept.includes(name));
      const set = Object.fromEntries(own);
      return withRemarks(session, rest, await updateObject(session, type, rest, { ...request, set }, options));
    },
    delete: (type, identity, options = {}) => deleteObject(session, type, typeOf(type), identity, options),
  };
}

/** The hook that a type names, if it names one of that kind. */
function hookOf<K extends keyof CallHooks>(
  { definition }: RestType,
  hooks: CallHooks,
  kind: K,
): NonNullable<CallHooks[K]>[string] | undefined {
  const name = definition.hooks?.readWriteOnly;
  if (name === undefined) return undefined;
  const hook = ownMember<unknown>(hooks[kind] ?? {}, name);
  if (hook === undefined) throw new Error(`bug: ${definition.name} names the hook "${name}", which is not there`);
  return hook as NonNullable<CallHooks[K]>[string];
}

const mostTold = 5;

/** Tells what the platform finds wrong with an object that it takes all the same, once a run. */
function withRemarks<T extends RemoteObject | undefined>(session: Session, rest: RestType, object: T): T {
  const { remarks, name } = rest.definition;
  if (remarks === undefined || object === undefined) return object;
  const texts = (asList(object.values[remarks]) ?? []).flatMap(textOf);
  if (texts.length === 0) return object;
  const more = texts.length > mostTold ? ` (and ${texts.length - mostTold} more)` : '';
  const code: RestCode = 'remarked';
  session.warnOnce({
    severity: 'warning',
    code,
    summary: `${name} ${labelOf(rest, object)}: the platform accepted it, and says: ${texts.slice(0, mostTold).join('; ')}${more}`,
  });
  return object;
}

function textOf(remark: Json): readonly string[] {
  const text = asText(remark) ?? asText(asObject(remark)?.['message']);
  return text === undefined ? [] : [text];
}

/** By what people know it, and its id. */
function labelOf({ fields }: RestType, { identity, values }: RemoteObject): string {
  const label = Object.keys(fields).find((name) => ['name', 'label'].includes(fields[name]?.role ?? ''));
  const text = asText(values[label ?? ''] ?? null);
  return text === undefined ? identity.id : `"${text}" (${identity.id})`;
}
