/** Says aloud, once a worker, what can't be run on this machine and what would make it run; gives the same for titles. */
export function leftOut(what: string, why: string): string {
  process.stderr.write(`LEFT OUT: ${what}: ${why}\n`);
  return ` (LEFT OUT: ${why})`;
}
