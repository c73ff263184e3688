import type { CallOptions, Provider, ReadWriteOnlyOptions, UpdateRequest } from '@platform-sync/core/model/provider';
import type { ResourceType } from '@platform-sync/core/model/resource-type';
import type { Identity } from '@platform-sync/core/model/state';
import type { JsonObject } from '@platform-sync/core/model/value';
import { createObject } from './create.js';
import { deleteObject } from './delete.js';
import { findObjects } from './find.js';
import { askAhead } from './list.js';
import { listObjects, readObject } from './reading.js';
import { withRemarks } from './remarks.js';
import type { RestType } from './rest-type.js';
import type { Session } from './session.js';
import { updateObject } from './update.js';

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
  const hook = hooks[kind]?.[name];
  if (hook === undefined) throw new Error(`bug: ${definition.name} names the hook "${name}", which is not there`);
  return hook as NonNullable<CallHooks[K]>[string];
}
