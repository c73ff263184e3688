/** A member of a record whose keys are names that people gave: `constructor` is none that each object has anyway. */
export function ownMember<T>(record: Readonly<Record<string, T>>, name: string): T | undefined {
  // eslint-disable-next-line sync/keyed-literals -- the one place where such a name is looked up
  return Object.hasOwn(record, name) ? record[name] : undefined;
}
