import type { Address } from '../model/address.js';
import type { DesiredResource } from '../model/desired.js';
import { markField, markIn, markParts, stackOf } from '../model/ownership-mark.js';
import type { StackKey } from '../model/state.js';
import type { JsonObject } from '../model/value.js';
import type { Matching } from './match-records.js';

/** What the marks of objects say that state does not know. */
export class Marks {
  readonly #stack: string;
  readonly #handedOver: ReadonlySet<string>;
  readonly #seekers = new Map<string, Address>();

  /** `handedOver`: stacks of another program whose objects this one takes over. */
  constructor(
    owner: StackKey,
    desired: Iterable<DesiredResource>,
    matching: Pick<Matching, 'of'>,
    handedOver: ReadonlySet<string> = new Set(),
  ) {
    this.#stack = stackOf(owner);
    this.#handedOver = handedOver;
    for (const { address, properties } of desired) {
      const expression = properties.get(markField);
      if (expression?.kind !== 'literal' || matching.of(address) !== undefined) continue;
      this.#seekers.set(String(expression.value), address);
    }
  }

  /** The stack and address of another stack whose mark an object bears. */
  elsewhere(values: JsonObject): { readonly stack: string; readonly address: string } | undefined {
    const mark = markIn(values[markField]);
    if (mark === undefined) return undefined;
    const parts = markParts(mark);
    return parts.stack === '' || parts.stack === this.#stack || this.#handedOver.has(parts.stack) ? undefined : parts;
  }

  /** The resource without a record whose mark an object bears: that one's it is, whoever has its key now. */
  meantFor(values: JsonObject): Address | undefined {
    return this.#seekers.get(markIn(values[markField]) ?? '');
  }
}
