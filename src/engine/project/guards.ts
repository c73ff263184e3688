import { defined } from '../model/defined.js';
import { isGuardName, knownGuards } from '../model/guard-names.js';
import type { GuardAllowance, GuardSettings } from '../model/project.js';
import type { BuildContext } from '../catalogue/read/build-context.js';
import type { CheckedSettings } from './checked-settings.js';
import { realDate } from './dates.js';

/** The `guards` block: limits, and guards that are lifted by name. */
export function guardSettings(settings: CheckedSettings, context: BuildContext): GuardSettings {
  const { maxDeletes, maxDeletePercent, maxUpdatePercent, allow } = settings.value.guards ?? {};
  return {
    maxDeletes: maxDeletes ?? 10,
    maxDeletePercent: maxDeletePercent ?? 20,
    ...defined({ maxUpdatePercent }),
    allow: (allow ?? []).flatMap((item, index): readonly GuardAllowance[] => {
      if (!item) return [];
      const { guard, reason } = item;
      const until = realDate(item.until, settings.at('guards', 'allow', index, 'until'), context);
      if (isGuardName(guard)) return [{ guard, reason, ...defined({ until }) }];
      const at = settings.at('guards', 'allow', index, 'guard');
      context.problems.add('bad-setting', at, `There is no guard "${guard}".`, { hint: `Guards are ${knownGuards}.` });
      return [];
    }),
  };
}
