import type { FieldRule } from '../model/resource-type.js';
import { hasSecret, isList, isObject, isSecret, reveal, secret, type Json, type Value } from '../model/value.js';
import { isSealedByParts, withSecretParts } from '../value/secret-parts.js';

/**
 * What the platform has, with what is secret as the file has it: nobody else's secret gets into a file. Undefined where that can't be
 * told, because a list with secrets in it has grown or shrunk.
 */
export function withFilesSecrets(
  rule: FieldRule,
  taken: Json,
  from: Json | undefined,
  declared: Value,
): Json | undefined {
  if (!isSealedByParts(rule)) return taken;
  const marked = withSecretParts(rule, taken, [declared], ({ value, expression }) => secret(value, expression));
  return hasSecret(marked) ? filled(marked, from) : taken;
}

function filled(marked: Value, from: Json | undefined): Json | undefined {
  if (isSecret(marked)) return from;
  if (isList(marked)) {
    const said = isList(from) ? from : [];
    if (said.length !== marked.length && hasSecret(marked)) return undefined;
    const items = marked.map((item, at) => filled(item, said[at]));
    return items.every((item) => item !== undefined) ? items : undefined;
  }
  if (!isObject(marked)) return reveal(marked);
  const said = isObject(from) ? from : {};
  const members = Object.entries(marked).map(([key, member]) => [key, filled(member, said[key]), member] as const);
  if (members.some(([, value, member]) => value === undefined && !isSecret(member))) return undefined;
  return Object.fromEntries(members.flatMap(([key, value]) => (value === undefined ? [] : [[key, value]])));
}
