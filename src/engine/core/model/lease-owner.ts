import { hostname, userInfo } from 'node:os';

/** Who takes a lease, for the people who wait for it: `user@host pid 123`. */
export function leaseOwner(): string {
  return `${userName()}@${hostname()} pid ${process.pid}`;
}

/** A container may run under a user id that has no name. */
function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return `uid ${process.getuid?.() ?? 'unknown'}`;
  }
}
