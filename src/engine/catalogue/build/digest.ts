import { createHash } from 'node:crypto';
import { compareText } from '../../model/address.js';
import type { DesiredResource } from '../../model/desired.js';
import type { Expression } from '../../model/expression.js';
import { encodeExpression } from './encode.js';

/** Changes when the form below does: two digests of different forms never count as the same catalogue. */
const form = 'catalogue 1';

/** sha256 (hex) over what the files mean, whatever the order of files and keys; see DesiredState.digest. */
export function catalogueDigest(
  resources: ReadonlyMap<string, DesiredResource>,
  variables: ReadonlyMap<string, Expression>,
  outputs: ReadonlyMap<string, Expression>,
  removed: readonly string[] = [],
): string {
  const hash = createHash('sha256').update(form);
  for (const [address, resource] of sorted(resources)) {
    // One call an object: a call costs more than hashing what it brings.
    let text = `\nresource ${JSON.stringify([address, resource.type])}`;
    for (const [name, value] of sorted(resource.properties)) text += `\n ${name}=${encodeExpression(value)}`;
    const options = sorted(new Map(Object.entries(resource.options)));
    hash.update(`${text}\n options ${JSON.stringify(options)}`);
  }
  for (const [name, value] of sorted(variables)) hash.update(`\nvariable ${name}=${encodeExpression(value)}`);
  for (const [name, value] of sorted(outputs)) hash.update(`\noutput ${name}=${encodeExpression(value)}`);
  for (const address of [...removed].sort(compareText)) hash.update(`\nremoved ${address}`);
  return hash.digest('hex');
}

function sorted<T>(entries: ReadonlyMap<string, T>): [string, T][] {
  return [...entries].sort(([a], [b]) => compareText(a, b));
}
