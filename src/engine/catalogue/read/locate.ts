import type { Expression } from '@platform-sync/core/model/expression';
import type { SourceRange } from '@platform-sync/core/model/diagnostic';

/** Where a part of a value stands in the files. */
export interface Located {
  /** The nearest expression on the way: references and functions end it. */
  readonly expression: Expression;
  readonly at: SourceRange;
  /** True inside a secret: nothing of the value may be shown. */
  readonly secret: boolean;
  /** The keys that were left when the way ended. */
  readonly left: readonly string[];
}

/** Follows pointer keys into an expression as far as it is spelt out. */
export function locate(expression: Expression, keys: readonly string[]): Located {
  let current = expression;
  let secret = false;
  for (const [index, key] of keys.entries()) {
    while (current.kind === 'secret') {
      secret = true;
      current = current.value;
    }
    const next =
      current.kind === 'map'
        ? current.entries.get(key)?.value
        : current.kind === 'list'
          ? current.items[Number(key)]
          : undefined;
    if (next === undefined) return { expression: current, at: current.at, secret, left: keys.slice(index) };
    current = next;
  }
  return { expression: current, at: current.at, secret: secret || current.kind === 'secret', left: [] };
}

/** The key of an entry, or the map itself when the entry is not spelt out there. */
export function keyPlace(expression: Expression, name: string): SourceRange {
  let current = expression;
  while (current.kind === 'secret') current = current.value;
  return (current.kind === 'map' ? current.entries.get(name)?.key : undefined) ?? current.at;
}
