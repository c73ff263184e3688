import type { Address } from '../model/address.js';

/**
 * One call (or one record to write). A step is one operation, except a replacement: that is a `create` and the
 * delete of the old object (`delete` when it goes first, `delete-old` when it goes last); and an update that has to
 * `park` first: it gives its name away before it can take the one it wants.
 */
export type OperationKind = 'create' | 'update' | 'delete' | 'delete-old' | 'adopt' | 'record' | 'park';

export interface Operation {
  /** `petstore/guide create`; unique. */
  readonly id: string;
  readonly address: Address;
  readonly kind: OperationKind;
  /** For park: the fields, and the values they have in between. */
  readonly parking?: Readonly<Record<string, string>>;
  /** Deletes that this one's call carries out as well: the platform deletes what lives in the object together with it. */
  readonly carries?: readonly Operation[];
  /** Ids of operations that must be done before. Sorted. */
  readonly dependsOn: readonly string[];
}

export function operationId(address: Address, kind: OperationKind): string {
  return `${address} ${kind}`;
}
