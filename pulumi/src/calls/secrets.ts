import { mayHoldSecret, type ResourceType } from '@platform-sync/core/model/resource-type';
import {
  hasSecret,
  isList,
  isObject,
  isSecret,
  secret,
  type Value,
  type ValueObject,
} from '@platform-sync/core/model/value';
import { derivedSecret } from '@platform-sync/core/value/seal';
import { isSealedByParts, withSecretParts } from '@platform-sync/core/value/secret-parts';
import { secretWord } from '../wire/values.js';

/**
 * Values with marks on all that is secret by nature, was secret in what the engine sent, or is made by the platform out of such. As in
 * plans, that is a part of a record, and the whole of anything else.
 */
export function withSecrets(type: ResourceType, values: ValueObject, ...given: readonly ValueObject[]): ValueObject {
  const members = Object.entries(values).map(([name, value]): [string, Value] => {
    const rule = type.fields[name];
    const known = given.flatMap((each) => (each[name] === undefined ? [] : [each[name]]));
    const isMade = given.some((each) => derivedSecret(type, name, each) !== undefined);
    if (isMade || known.some(isSecret)) return [name, hidden(value)];
    if (rule !== undefined && isSealedByParts(rule))
      return [name, withSecretParts(rule, value, known, (part) => hidden(part.value))];
    return [name, mayHoldSecret(rule) || known.some(hasSecret) ? hidden(value) : value];
  });
  return Object.fromEntries(members);
}

function hidden(value: Value): Value {
  return value === null || isSecret(value) ? value : secret(value, secretWord);
}

/** Does something stand in clear in `olds` that is secret in `news`? */
export function isOpen(news: Value, olds: Value): boolean {
  if (olds === null || isSecret(olds) || !hasSecret(news)) return false;
  if (isList(news) && isList(olds)) return news.some((item, at) => isOpen(item, olds[at] ?? null));
  if (isSecret(news) || !isObject(news) || !isObject(olds)) return true;
  return Object.entries(news).some(([name, member]) => isOpen(member, olds[name] ?? null));
}
