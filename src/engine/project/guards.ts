import type { Expression } from '../model/expression.js';
import { isGuardName, knownGuards } from '../model/guard-names.js';
import type { GuardAllowance, GuardSettings } from '../model/project.js';
import type { BuildContext } from '../catalogue/read/build-context.js';
import { dateOf } from './drift.js';
import {
  listItems,
  mapEntries,
  plainText,
  refuseUnknownKeys,
  wholeNumber,
  type Entries,
} from '../catalogue/read/shape.js';

const defaults = { maxDeletes: 10, maxDeletePercent: 20 };

/** The `guards` block: limits, and guards that are lifted by name. */
export function guardSettings(value: Expression | undefined, context: BuildContext): GuardSettings {
  const entries: Entries = value === undefined ? new Map() : mapEntries(value, '"guards"', context);
  refuseUnknownKeys(entries, ['maxDeletes', 'maxDeletePercent', 'maxUpdatePercent', 'allow'], '"guards"', context);
  const number = (name: string, most: number): number | undefined =>
    wholeNumber(entries.get(name)?.value, `guards.${name}`, 0, most, context);
  const allow = entries.get('allow')?.value;
  const maxUpdatePercent = number('maxUpdatePercent', 100);
  return {
    maxDeletes: number('maxDeletes', Number.MAX_SAFE_INTEGER) ?? defaults.maxDeletes,
    maxDeletePercent: number('maxDeletePercent', 100) ?? defaults.maxDeletePercent,
    ...(maxUpdatePercent !== undefined && { maxUpdatePercent }),
    allow:
      allow === undefined
        ? []
        : listItems(allow, '"guards.allow"', context).flatMap((item) => allowance(item, context)),
  };
}

function allowance(item: Expression, context: BuildContext): GuardAllowance[] {
  const entries = mapEntries(item, 'An item of "guards.allow"', context);
  if (item.kind !== 'map') return [];
  refuseUnknownKeys(entries, ['guard', 'reason', 'until'], 'An item of "guards.allow"', context);
  const text = (name: string): string | undefined => {
    const entry = entries.get(name);
    if (entry !== undefined) return plainText(entry.value, `"${name}" of "guards.allow"`, context);
    context.problems.add('missing-setting', item.at, `An item of "guards.allow" needs a "${name}".`);
    return undefined;
  };
  const [guard, reason, until] = [text('guard'), text('reason'), dateOf(entries, 'guards.allow', context)];
  if (guard === undefined || reason === undefined) return [];
  if (!isGuardName(guard)) {
    context.problems.add('bad-setting', entries.get('guard')?.value.at, `There is no guard "${guard}".`, {
      hint: `Guards are ${knownGuards}.`,
    });
    return [];
  }
  return [{ guard, reason, ...(until !== undefined && { until }) }];
}
