import type { StateChange } from './state.js';

/** What a run knows about one of its writes, and could not tell the state store because that was away. */
export interface OutboxWrite {
  /** Of the stack it belongs to. */
  readonly lineage: string;
  /** The intent of the write. Only while it is open do the changes count: whoever closed it has looked for himself. */
  readonly intent: string;
  /** Everything to store, the closing of the intent included. Secrets are sealed. */
  readonly changes: readonly StateChange[];
}

/** A place on this machine for what the state store did not take. */
export interface Outbox {
  /** For people. */
  readonly location: string;
  /** Durable once it resolves. Rejects with errors of the file system. */
  add(write: OutboxWrite): Promise<void>;
  /** In the order they were kept; nothing when there is no such place, or it can't be read. */
  read(): Promise<readonly OutboxWrite[]>;
  clear(): Promise<void>;
}
