import { ProviderError } from '@platform-sync/core/model/provider';
import type { Identity } from '@platform-sync/core/model/state';
import { type JsonObject, ownMember } from '@platform-sync/core/model/value';
import { fillPath, PathValueError } from './http/path.js';
import type { RestCode } from '@platform-sync/core/generated/codes';
import type { RestType } from './rest-type.js';

/** A call's path. An id that can't stand in one is an error before anything is sent. */
export function pathOf(template: string, values: Readonly<Record<string, string | undefined>>): string {
  try {
    return fillPath(template, values);
  } catch (error) {
    if (!(error instanceof PathValueError)) throw error;
    const { parameter } = error;
    const code: RestCode = 'invalid-identifier';
    const field = parameter === 'id' ? {} : { field: parameter };
    throw new ProviderError('invalid', [
      { severity: 'error', code, summary: `${parameter} is empty or is not an id.`, ...field },
    ]);
  }
}

/** The path of a call about one object. */
export function itemPath({ idField }: RestType, template: string, { id, scope }: Identity): string {
  return pathOf(template, { ...scope, [idField]: id });
}

/** The ids above an object: from the scope given, else from its inputs. */
export function placeOf(
  { scope: fields }: RestType,
  scope: Readonly<Record<string, string>>,
  inputs: JsonObject,
): Readonly<Record<string, string>> {
  const place = new Map<string, string>();
  for (const field of fields) {
    const value = ownMember(scope, field) ?? inputs[field];
    if (typeof value === 'string') place.set(field, value);
  }
  return Object.fromEntries(place);
}
