import type { PlanOptions } from '../api.js';
import { compareText, type Address } from '../model/address.js';
import { patternOf } from '../model/pattern.js';

/** Options in which patterns are the addresses that match them; those that match nothing stay as they are. */
export function withAddresses(options: PlanOptions, known: Iterable<Address>): PlanOptions {
  const { targets = [], excludes = [] } = options;
  if (![...targets, ...excludes].some(isPattern)) return options;
  const addresses = [...new Set(known)].sort(compareText);
  const expand = (named: readonly string[]): readonly Address[] => [
    ...new Set(named.flatMap((name) => (isPattern(name) ? matching(name, addresses) : [name]))),
  ];
  return { ...options, targets: expand(targets), excludes: expand(excludes) };
}

function isPattern(text: string): boolean {
  return text.includes('*');
}

function matching(pattern: string, addresses: readonly Address[]): readonly string[] {
  const form = regexOf(pattern);
  const found = addresses.filter((address) => form.test(address));
  return found.length === 0 ? [pattern] : found;
}

/** `*` stands for any letters of one key, `**` for any keys below or above. */
function regexOf(pattern: string): RegExp {
  return patternOf(pattern, (run) => (run === '*' ? '[^/]*' : '.*'));
}
