/** The stack of a project that declares none. */
export const onlyStack = 'default';

/** The stack that was named, else what SYNC_STACK says; an empty one says nothing. Undefined: the project decides. */
export function namedStack(
  given: string | undefined,
  env: Readonly<Record<string, string | undefined>>,
): string | undefined {
  return given ?? (env['SYNC_STACK'] || undefined);
}
