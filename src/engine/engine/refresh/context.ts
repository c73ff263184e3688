import type { Address } from '@platform-sync/core/model/address';
import type { DesiredState } from '@platform-sync/core/model/desired';
import type { EventListener } from '@platform-sync/core/model/event';
import type { FieldRule, ResourceType } from '@platform-sync/core/model/resource-type';
import type { RecordedResource } from '@platform-sync/core/model/state';
import type { Json } from '@platform-sync/core/model/value';
import type { Reads } from '../reads/reads.js';

/** How much to read: `auto` trusts an unchanged revision, `full` fetches everything, `none` trusts state. */
type RefreshMode = 'auto' | 'full' | 'none';

export interface RefreshContext {
  readonly mode: RefreshMode;
  readonly recorded: ReadonlyMap<Address, RecordedResource>;
  readonly desired: DesiredState['resources'];
  readonly typeOf: (token: string) => ResourceType;
  readonly reads: Reads;
  readonly concurrency: number;
  /** Missing objects that are asked for one by one, at most. */
  readonly maxMissing: number;
  /** What this stack wrote after this moment (ISO 8601 UTC) may not show in all answers yet. Absent: all does. */
  readonly settledBefore?: string;
  /** How long that takes, milliseconds. */
  readonly settleMs?: number;
  /** What an earlier run may have deleted, with what lives in it, and nothing proves it: what is denied of it is as recorded. By `identityKey`. */
  readonly deleting?: ReadonlySet<string>;
  /** Types of which every object is to be seen, managed or not: their lists are read to the end, wherever one can be. */
  readonly whole?: ReadonlySet<ResourceType>;
  /** Records to read, where only a part is looked at; the others are taken as recorded, and nothing else is listed for them. */
  readonly only?: ReadonlySet<Address>;
  /** Are an answered and a recorded (maybe sealed) value the same? */
  readonly same: (rule: FieldRule, actual: Json | undefined, recorded: Json | undefined) => boolean;
  readonly onEvent?: EventListener;
}
