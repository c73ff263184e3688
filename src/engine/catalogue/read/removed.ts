import { addressKeyPattern } from '../../model/address.js';
import type { Expression } from '../../model/expression.js';
import type { BuildContext } from './build-context.js';
import type { Located } from './options.js';
import { listItems, wrongShape } from './shape.js';

/** `removed: [petstore/guide]`: addresses as they stand in state. */
export function readRemoved(value: Expression | undefined, context: BuildContext): readonly Located[] {
  if (value === undefined) return [];
  return listItems(value, '"removed"', context).flatMap((item) => {
    if (item.kind === 'literal' && typeof item.value === 'string' && isAddress(item.value))
      return [{ text: item.value, at: item.at }];
    wrongShape(item, 'Each item of "removed" must be an address such as petstore/guide', context);
    return [];
  });
}

function isAddress(text: string): boolean {
  return text.split('/').every((key) => addressKeyPattern.test(key));
}
