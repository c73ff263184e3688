import { defined } from '@platform-sync/core/model/defined';
import { isGuardName, knownGuards } from '@platform-sync/core/model/guard-names';
import type { GuardAllowance, GuardSettings } from '@platform-sync/core/model/project';
import type { BuildContext } from '../read/build-context.js';
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
