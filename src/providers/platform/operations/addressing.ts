import { ProviderError } from '../../../engine/model/provider.js';
import type { ResourceType } from '../../../engine/model/resource-type.js';
import type { Identity } from '../../../engine/model/state.js';
import type { JsonObject } from '../../../engine/model/value.js';
import { fillPath, PathValueError } from '../../http/path.js';
import { problem } from '../errors.js';

/** A call's path. An id that can't stand in one is an error before anything is sent. */
export function pathOf(template: string, values: Readonly<Record<string, string | undefined>>): string {
  try {
    return fillPath(template, values);
  } catch (error) {
    if (!(error instanceof PathValueError)) throw error;
    const field = error.parameter === 'id' ? {} : { field: error.parameter };
    throw new ProviderError('invalid', [
      problem('invalid-identifier', `${error.parameter} is empty or is no id.`, field),
    ]);
  }
}

export function itemPath(template: string, identity: Identity): string {
  return pathOf(template, { ...identity.scope, id: identity.id });
}

/** The ids above an object: from the scope given, else from its inputs. */
export function parentScope(
  type: ResourceType,
  scope: Readonly<Record<string, string>>,
  inputs: JsonObject,
): Readonly<Record<string, string>> {
  const field = type.parent?.field;
  if (field === undefined) return {};
  const value = scope[field] ?? inputs[field];
  return typeof value === 'string' ? { [field]: value } : {};
}
