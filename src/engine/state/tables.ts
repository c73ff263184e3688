import type { SeenFinding } from '@platform-sync/core/model/drift';

// The one SQL schema of both backends. Lists and objects are JSON text; times are milliseconds since 1970.

export interface SchemaRow {
  /** Always 1: the table has one row. */
  id: number;
  version: number;
}

/** A stack and its lease slot: one statement on one row checks the lease, bumps the serial and locks the stack. */
export interface StackRow {
  project: string;
  stack: string;
  lineage: string;
  serial: number;
  fingerprint_key: string;
  targets: string;
  outputs: string;
  /** Fencing number of the last lease, kept when the slot is empty. */
  lease_fence: number;
  lease_id: string | null;
  lease_owner: string | null;
  lease_purpose: string | null;
  lease_since: number | null;
  lease_seen: number | null;
  lease_expires: number | null;
  /** Which process holds it (JSON), where the system says so. */
  lease_process: string | null;
  /** 1: its beats are refused. */
  lease_revoked: number;
  /** The last row of the history. */
  run_number: number;
  run_digest: string | null;
  /** What holds back other runs (JSON). */
  frozen: string | null;
}

/** A row of the history. */
export interface RunRow {
  number: number;
  run: number;
  at: string;
  kind: string;
  address: string | null;
  body: string;
  digest: string;
}

export interface ResourceRow {
  project: string;
  stack: string;
  address: string;
  type: string;
  id: string;
  scope: string;
  /** Apart from the body, so that a move reads nothing else. */
  dependencies: string;
  /** Inputs, outputs, options and deposed objects. */
  body: string;
}

export interface IntentRow {
  project: string;
  stack: string;
  id: string;
  created_at: string;
  /** The whole intent. */
  body: string;
}

/** What drift checks saw; times are ISO 8601 UTC, which sort as text. */
export interface FindingRow {
  project: string;
  stack: string;
  id: string;
  address: string;
  field: string | null;
  class: SeenFinding['class'];
  severity: SeenFinding['severity'];
  digest: string;
  first_seen: string;
  last_seen: string;
  resolved_at: string | null;
  came: number;
}

/** The last drift check of a stack; with an empty outcome there was none, and only news of runs are numbered. */
export interface CheckRow {
  project: string;
  stack: string;
  checked_at: string;
  /** How it ended. */
  outcome: string;
  succeeded_at: string | null;
  number: number;
}

/** What a check or a run had to tell. */
export interface NewsRow {
  project: string;
  stack: string;
  /** Of checks and runs together. */
  number: number;
  about: string;
  checked_at: string;
  /** Summary and changes. */
  body: string;
}

/** Who is told, and how far. */
export interface ReceiverRow {
  project: string;
  stack: string;
  receiver: string;
  /** The last of the news that it took. */
  told: number | null;
  /** Who is telling it now. */
  teller: string | null;
  teller_until: number | null;
}
