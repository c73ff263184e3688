/** A record for names that others chose: it inherits nothing, so that `constructor` is not there, and `__proto__` can be. */
export function emptyRecord<Value>(): Record<string, Value> {
  return Object.create(null);
}
