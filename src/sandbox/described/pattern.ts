const known = new Map<string, RegExp | undefined>();

/** True where a text has the form of a described pattern, or the pattern is of another dialect. */
export function hasForm(pattern: string, text: string): boolean {
  if (!known.has(pattern)) known.set(pattern, compiled(pattern));
  return known.get(pattern)?.test(text) ?? true;
}

function compiled(pattern: string): RegExp | undefined {
  for (const flags of ['u', ''])
    try {
      return new RegExp(pattern, flags);
    } catch {
      // Some descriptions escape signs that need no escape, which the stricter flag refuses.
    }
  return undefined;
}
