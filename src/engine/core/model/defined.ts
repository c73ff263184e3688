type Defined<T> = { [K in keyof T as undefined extends T[K] ? never : K]: T[K] } & {
  [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined>;
};

/** The members that have a value, in their order: what is left out is left out, and not there as undefined. */
export function defined<T extends object>(members: T): Defined<T> {
  // eslint-disable-next-line sync/keyed-literals -- the one name that would go astray is defined below; this runs for every literal
  const found: Record<string, unknown> = {};
  for (const name in members) {
    const value = members[name];
    if (value === undefined) continue;
    // Set like any other, this one would be no member.
    if (name === '__proto__') Object.defineProperty(found, name, { ...Object.getOwnPropertyDescriptor(members, name) });
    else found[name] = value;
  }
  return found as Defined<T>;
}
