import type { ExportedType } from '../api.js';
import { compareText } from '@platform-sync/core/model/address';
import type { ResourceType } from '@platform-sync/core/model/resource-type';
import { keyOf, type FoundObject } from './found-object.js';
import { unreadDiagnostic, type Unread } from './left-out.js';

export interface Counted {
  /** In schema order. */
  readonly types: Iterable<ResourceType>;
  /** All objects that lists showed and that were chosen. */
  readonly found: readonly FoundObject[];
  readonly isWritten: (key: string) => boolean;
  /** Key of an object → why it was left out. What has no reason of its own lives in something that was. */
  readonly leftOut: ReadonlyMap<string, string>;
  /** Objects and lists that could not be read. */
  readonly unread: readonly Unread[];
  readonly unlisted: readonly ResourceType[];
}

/** How many objects of each type were written and left out; types of which nothing is there are not among them. */
export function typeCounts(counted: Counted): readonly ExportedType[] {
  const written = new Map<ResourceType, number>();
  const leftOut = new Map<ResourceType, Map<string, number>>();
  for (const { type, why } of outcomes(counted)) {
    if (why === undefined) {
      increase(written, type);
      continue;
    }
    const reasons = leftOut.get(type) ?? new Map<string, number>();
    leftOut.set(type, reasons);
    increase(reasons, why);
  }
  return [...counted.types].flatMap((type) => {
    const reasons = [...(leftOut.get(type) ?? [])].sort(([a], [b]) => compareText(a, b));
    const count = written.get(type) ?? 0;
    if (count === 0 && reasons.length === 0) return [];
    return [{ type: type.name, written: count, leftOut: Object.fromEntries(reasons) }];
  });
}

interface Outcome {
  readonly type: ResourceType;
  /** Undefined where it was written. */
  readonly why: string | undefined;
}

function outcomes({ found, isWritten, leftOut, unread, unlisted }: Counted): readonly Outcome[] {
  const told = new Set(unread.map(({ type, id = '' }) => `${type.token} ${id}`));
  return [
    ...unlisted.map((type) => ({ type, why: 'export-unlisted' })),
    ...unread.map((one) => ({ type: one.type, why: unreadDiagnostic(one).code })),
    ...found.flatMap((object) => {
      const { type, identity } = object;
      if (told.has(`${type.token} ${identity.id}`)) return [];
      const key = keyOf(object);
      return [{ type, why: isWritten(key) ? undefined : (leftOut.get(key) ?? 'container-left-out') }];
    }),
  ];
}

function increase<K>(counts: Map<K, number>, key: K): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}
