import type { Address } from '@platform-sync/core/model/address';
import type { Intent, RecordedResource, StateChange } from '@platform-sync/core/model/state';
import type { JsonObject } from '@platform-sync/core/model/value';
import type { Move } from './moves.js';

/** What many changes come to in the end: each row is written once, however many commits touched it. */
export class NetChanges {
  readonly puts = new Map<Address, RecordedResource>();
  readonly removes = new Set<Address>();
  readonly begun = new Map<string, Intent>();
  readonly closed = new Set<string>();
  outputs: JsonObject | undefined;
  targets: Readonly<Record<string, string>> | undefined;

  begin(intent: Intent): void {
    this.closed.delete(intent.id);
    this.begun.set(intent.id, intent);
  }

  add(change: Exclude<StateChange, Move>): void {
    switch (change.kind) {
      case 'put':
        this.removes.delete(change.resource.address);
        this.puts.set(change.resource.address, change.resource);
        break;
      case 'remove':
        this.puts.delete(change.address);
        this.removes.add(change.address);
        break;
      case 'close-intent':
        this.begun.delete(change.id);
        this.closed.add(change.id);
        break;
      case 'outputs':
        this.outputs = change.outputs;
        break;
      case 'targets':
        this.targets = change.targets;
        break;
    }
  }
}
