import type { Intent, RecordedResource } from '../model/state.js';
import { StateStoreError } from '../model/state-store.js';
import type { IntentRow, ResourceRow } from './tables.js';
import { mostLevels, readJson } from '../model/read-json.js';

/** Which stack of which project a row belongs to. */
export interface StackKey {
  readonly project: string;
  readonly stack: string;
}

/** Its columns: address, type, id, scope, dependencies, body. */
export function resourceCells(resource: RecordedResource): readonly string[] {
  const { address, type, identity, dependencies, ...body } = resource;
  const { id, scope } = identity;
  return [address, type, id, JSON.stringify(scope), JSON.stringify(dependencies), JSON.stringify(body)];
}

export type StoredResource = Omit<ResourceRow, keyof StackKey>;

export function resourceOf(row: StoredResource): RecordedResource {
  const at = `the record of ${row.address}`;
  const body = parsed<Omit<RecordedResource, 'address' | 'type' | 'identity' | 'dependencies'>>(row.body, at);
  return {
    address: row.address,
    type: row.type,
    identity: { id: row.id, scope: parsed(row.scope, at) },
    dependencies: parsed(row.dependencies, at),
    ...body,
  };
}

/** Its columns: id, created_at, body. */
export function intentCells(intent: Intent): readonly string[] {
  return [intent.id, intent.createdAt, JSON.stringify(intent)];
}

export function intentOf(row: Pick<IntentRow, 'id' | 'body'>): Intent {
  return parsed(row.body, `the intent ${row.id}`);
}

/** JSON text this program wrote itself. */
export function parsed<T>(text: string, what: string): T {
  try {
    return readJson(text, mostLevels.own) as T;
  } catch {
    throw new StateStoreError(
      'corrupt',
      `${what} in the state is damaged`,
      'Restore a copy of the state, or remove that record and adopt the object again.',
    );
  }
}
