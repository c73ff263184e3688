import type { Intent, RecordedResource } from '../model/state.js';
import { StateStoreError } from '../model/state-store.js';
import type { IntentRow, ResourceRow } from './tables.js';
import { mostLevels, readJson } from '../model/read-json.js';

/** Which stack of which project a row belongs to. */
export interface StackKey {
  readonly project: string;
  readonly stack: string;
}

export function resourceRow(key: StackKey, resource: RecordedResource): ResourceRow {
  const { address, type, identity, dependencies, ...body } = resource;
  return {
    ...key,
    address,
    type,
    id: identity.id,
    scope: JSON.stringify(identity.scope),
    dependencies: JSON.stringify(dependencies),
    body: JSON.stringify(body),
  };
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

export function intentRow(key: StackKey, intent: Intent): IntentRow {
  return { ...key, id: intent.id, created_at: intent.createdAt, body: JSON.stringify(intent) };
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
