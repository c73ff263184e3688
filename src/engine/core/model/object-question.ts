import type { Diagnostic } from './diagnostic.js';
import type { ResourceType } from './resource-type.js';
import type { JsonObject } from './value.js';

/** Which objects somebody wants to see. */
export interface ObjectQuestion {
  /** `GatewayService`, `platform:GatewayService`, or its token. */
  readonly type: string;
  readonly many: 'one' | 'all';
  /** What people know it by: a name, a key where that is one field, or its id. */
  readonly name?: string;
  /** What it lives in, outermost first: names, or `field=id`. */
  readonly parents?: readonly string[];
  /** `port=80`, `name.contains=pay`: all must hold. */
  readonly filters?: readonly string[];
}

export interface ShownObjects {
  /** Absent when there is no such type. */
  readonly type?: ResourceType;
  /** Absent with errors. */
  readonly objects?: readonly JsonObject[];
  readonly diagnostics: readonly Diagnostic[];
}
