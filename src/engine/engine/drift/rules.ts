import { addTo } from '@platform-sync/core/model/graph';
import type { Address } from '@platform-sync/core/model/address';
import type { DriftRule } from '@platform-sync/core/model/drift';
import { patternOf, type Pattern } from '@platform-sync/core/model/pattern';

/** Rules that hold on a day, and those that have run out. */
interface ActiveRules {
  readonly active: readonly DriftRule[];
  readonly expired: readonly DriftRule[];
}

/** `today` is `YYYY-MM-DD`; a rule holds through its last day. */
export function rulesOn(rules: readonly DriftRule[], today: string): ActiveRules {
  const isOver = (rule: DriftRule): boolean => rule.until !== undefined && rule.until < today;
  return { active: rules.filter((rule) => !isOver(rule)), expired: rules.filter(isOver) };
}

/** Finds the rules of an address; those without a `*` by one look-up. */
export function ruleFinder(rules: readonly DriftRule[]): (address: Address) => readonly DriftRule[] {
  const exact = new Map<Address, DriftRule[]>();
  const patterns: { readonly pattern: Pattern; readonly rule: DriftRule }[] = [];
  for (const rule of rules) {
    if (rule.address.includes('*')) patterns.push({ pattern: patternOf(rule.address), rule });
    else addTo(exact, rule.address, rule);
  }
  return (address) => [
    ...(exact.get(address) ?? []),
    ...patterns.filter(({ pattern }) => pattern.test(address)).map(({ rule }) => rule),
  ];
}
