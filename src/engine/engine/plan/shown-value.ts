import { isAlwaysSet, type ResourceType } from '@platform-sync/core/model/resource-type';
import type { RecordedResource } from '@platform-sync/core/model/state';
import { type JsonObject, secret, unknown, type Value } from '@platform-sync/core/model/value';
import { derivedSecret, type Seals } from '@platform-sync/core/value/seal';
import type { Step } from './step.js';
import { wasSealed } from '@platform-sync/core/value/secret-parts';

/** An object as answers have shown it, and as the files and the record have it. */
interface ShownObject {
  readonly type: ResourceType;
  readonly declared: ReadonlyMap<string, Value>;
  readonly recorded?: RecordedResource | undefined;
  readonly shown: JsonObject;
}

/** What a reference (`text`) to a field comes to that the file does not say: unknown where an answer would have it, and none had. */
export function shownValue(
  { type, declared, recorded, shown }: ShownObject,
  name: string,
  text: string,
  seals: Seals,
): Value {
  const value = shown[name] ?? null;
  if (shown[name] === undefined && isAlwaysSet(type.fields[name])) return unknown([text]);
  const made = derivedSecret(type, name, Object.fromEntries(declared));
  const isSecret = wasSealed(recorded, name) || seals.repeatsSecret(value, recorded?.inputs[name]);
  const expression = made ?? (isSecret ? name : undefined);
  return expression === undefined ? value : secret(value, expression);
}

/** What an answer leaves out is as it was shown before. */
export function shownOf({ recorded, actual }: Pick<Step, 'recorded' | 'actual'>): JsonObject {
  return { ...recorded?.outputs, ...actual?.values };
}
