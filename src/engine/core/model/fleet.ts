import type { DriftSeverity } from './drift.js';

/** What runs of one process share that ask one server with one token: a pace, and answers to what only reads. */
export interface Round {
  /** For each server and token; left out: what the first of them says. */
  readonly requestsPerMinute?: number;
  /** Other processes of the same state database keep that rate with this one. */
  readonly isRateShared?: true;
}

/** Worst first. `unknown`: not everything could be compared. `waiting`: something is to be applied. */
export const stackStates = ['failed', 'unknown', 'blocked', 'drift', 'waiting', 'clean'] as const;

export type StackState = (typeof stackStates)[number];

/** How one stack of a fleet stands. */
export interface FleetRow {
  /** Empty: the project could not be opened. */
  readonly project: string;
  readonly stack: string;
  /** Folder of sync.yaml, relative to the fleet's. */
  readonly folder: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly owners: readonly string[];
  readonly state: StackState;
  /** One sentence. Rows of one cause have the same. */
  readonly cause: string;
  /** ISO 8601 UTC: since when it is so, as far as that is known. */
  readonly since?: string;
  /** Of drift: findings by severity. */
  readonly findings?: Readonly<Record<DriftSeverity, number>>;
  /** Steps that wait to be applied. */
  readonly waiting?: number;
  /** The last check that compared everything. */
  readonly lastGood?: string;
  readonly lastApply?: { readonly at: string; readonly by: string; readonly status?: string };
  readonly requests: number;
  /** Path of its own report, relative to the fleet's. */
  readonly report?: string;
}

/** A round over all stacks of a fleet. Pure JSON. */
export interface FleetReport {
  readonly formatVersion: 1;
  readonly engine: string;
  readonly name: string;
  readonly kind: 'check' | 'plan' | 'status';
  readonly madeAt: string;
  /** Worst first, then by name. */
  readonly rows: readonly FleetRow[];
  readonly requests: number;
}
