import { lockWait } from '../arguments/shared-flags.js';
import { applied } from '../plan/apply-report.js';
import { planAndApply, requireConsent } from '../plan/plan-and-apply.js';
import { applyFlags, planFlags, planOptions } from '../arguments/plan-flags.js';
import { command } from '../run/command.js';

export const destroyCommand = command({
  summary: 'Delete everything that is managed in this stack.',
  description:
    'The same as apply for an empty catalogue: plans, shows, asks, deletes in reverse order of dependencies. Protected objects block it. Objects that are not in state are never touched.',
  examples: ['sync destroy', 'sync destroy --target petstore --yes'],
  flags: { ...planFlags, ...applyFlags },
  needs: 'context',
  given({ flags }) {
    lockWait(flags);
    return { ...planOptions(flags), mode: 'destroy' } as const;
  },
  run({ flags, given, context }) {
    requireConsent(context, flags, 'destroy');
    return applied(context, flags, 'destroy', (logged, project) => planAndApply(logged, project, given, flags));
  },
});
