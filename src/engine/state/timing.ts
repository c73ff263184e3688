import { realWorld, type World } from '@platform-sync/core/model/world';

/** How long leases live, and the world they live in. Replaced in tests. */
export interface Timing extends Omit<World, 'now'> {
  /** A lease not seen for this long is over, milliseconds. */
  readonly ttlMs: number;
  /** Time between two signs of life, milliseconds. */
  readonly heartbeatMs: number;
  /** Time between two looks at a lease that another run holds, milliseconds. */
  readonly pollMs: number;
  /** Milliseconds since 1970. Absent: the database's clock on PostgreSQL, this process's elsewhere. */
  readonly now?: () => number;
}

const { now: _, ...real } = realWorld;

export const realTiming: Timing = { ttlMs: 30_000, heartbeatMs: 5_000, pollMs: 500, ...real };
