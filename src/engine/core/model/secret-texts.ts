import { hasSecret, isObject, isSecret, type Value } from './value.js';

const none: readonly string[] = [];

/** The texts in secret parts of a value. */
export function secretTexts(value: Value): readonly string[] {
  if (!hasSecret(value)) return none;
  const found = new Set<string>();
  const visit = (part: Value, isInside: boolean): void => {
    if (isSecret(part)) visit(part.value, true);
    else if (typeof part === 'string') {
      if (isInside && part !== '') found.add(part);
    } else if (Array.isArray(part)) part.forEach((item: Value) => visit(item, isInside));
    else if (isObject(part)) Object.values(part).forEach((member) => visit(member, isInside));
  };
  visit(value, false);
  return [...found];
}
