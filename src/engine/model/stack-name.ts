/** The stack to work on: the one that was named, else what SYNC_STACK says, else `default`. An empty SYNC_STACK says nothing. */
export function stackName(given: string | undefined, env: Readonly<Record<string, string | undefined>>): string {
  return given ?? (env['SYNC_STACK'] || 'default');
}
