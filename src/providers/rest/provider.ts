import type { CallOptions, Provider } from '../../engine/model/provider.js';
import type { ResourceType } from '../../engine/model/resource-type.js';
import type { Identity } from '../../engine/model/state.js';
import type { JsonObject } from '../../engine/model/value.js';
import { createObject } from './create.js';
import { deleteObject } from './delete.js';
import { findObjects } from './find.js';
import { listObjects, readObject } from './reading.js';
import type { RestType } from './rest-type.js';
import type { Session } from './session.js';
import { updateObject } from './update.js';

/** Reads write-only fields where else the platform shows them. */
export type ReadWriteOnly = (session: Session, identity: Identity, options: CallOptions) => Promise<JsonObject>;

/** The part of a type's hooks that makes calls, by the names definitions use. */
export interface CallHooks {
  readonly readWriteOnly?: Readonly<Record<string, ReadWriteOnly>>;
}

export type ObjectCalls = Pick<Provider, 'list' | 'read' | 'readWriteOnly' | 'find' | 'create' | 'update' | 'delete'>;

/** All calls about objects, each as the type's definition says. */
export function objectCalls(
  session: Session,
  typeOf: (type: ResourceType) => RestType,
  hooks: CallHooks = {},
): ObjectCalls {
  return {
    list: (type, scope, options = {}) => listObjects(session, type, typeOf(type), scope, options),
    read: (type, identity, options = {}) => readObject(session, type, typeOf(type), identity, options),
    readWriteOnly: async (type, identity, options = {}) => {
      const name = typeOf(type).definition.hooks?.readWriteOnly;
      if (name === undefined) return {};
      const hook = hooks.readWriteOnly?.[name];
      if (hook === undefined) throw new Error(`bug: ${type.name} names the hook "${name}", which is not there`);
      return hook(session, identity, options);
    },
    find: (type, scope, inputs, options = {}) => findObjects(session, type, typeOf(type), scope, inputs, options),
    create: (type, scope, inputs, options = {}) => createObject(session, type, typeOf(type), scope, inputs, options),
    update: (type, request, options = {}) => updateObject(session, type, typeOf(type), request, options),
    delete: (type, identity, options = {}) => deleteObject(session, type, typeOf(type), identity, options),
  };
}
