import { type Address, lastKey } from '@platform-sync/core/model/address';

/** A key of an address in a text. */
export interface Named {
  readonly address: Address;
  /** Where the last key of it stands. */
  readonly start: number;
  readonly end: number;
}

/**
 * The address whose last key stands at an offset: that of the resource itself, where its own key does (`own`), or as much of a
 * written address as ends there, in a reference, a list or the key of a patch.
 */
export function namedAt(
  text: string,
  offset: number,
  own: Address | undefined,
  isKnown: (address: Address) => boolean,
): Named | undefined {
  const before = /[\w/-]*$/.exec(text.slice(0, offset))?.[0] ?? '';
  const after = /^[\w-]*/.exec(text.slice(offset))?.[0] ?? '';
  const address = own ?? before + after;
  if (!isKnown(address)) return undefined;
  const end = offset + after.length;
  const start = end - lastKey(address).length;
  return text.slice(start, end) === lastKey(address) ? { address, start, end } : undefined;
}
