/** The stack of a project that declares none. */
export const onlyStack = 'default';

/** The stack that was named, else what SYNC_STACK says; an empty one says nothing. Undefined: the project decides. */
export function namedStack(
  given: string | undefined,
  env: Readonly<Record<string, string | undefined>>,
): string | undefined {
  return given ?? (env['SYNC_STACK'] || undefined);
}

/** What a stack is called where no project could be read that decides. */
export function stackName(given: string | undefined, env: Readonly<Record<string, string | undefined>>): string {
  return namedStack(given, env) ?? onlyStack;
}
