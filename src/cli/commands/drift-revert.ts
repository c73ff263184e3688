import { argument } from '../arguments/flag.js';
import type { Project } from '../../engine/api.js';
import { lockWait } from '../arguments/lock-timeout.js';
import { applied } from '../plan/apply-report.js';
import { planAndApply, requireConsent } from '../plan/plan-and-apply.js';
import { allowances, applyFlags, planFlags } from '../arguments/plan-flags.js';
import { command } from '../run/command.js';

export const driftRevertCommand = command({
  summary: 'Undo changes made outside on the platform.',
  description:
    'Plans for the named findings only (id, address, or address.field), shows the plan, asks, and carries it out. Guards hold as for any apply. The whole resource is planned: what its catalogue entry has not applied yet is part of it.',
  examples: ['sync drift revert 1a2b3c4d5e', 'sync drift revert petstore.description petstore/guide --yes'],
  anyWords: true,
  args: {
    finding: argument({ name: 'FINDING', required: true, description: 'ids, addresses, or address.field' }),
  },
  flags: { allow: planFlags.allow, reason: planFlags.reason, ...applyFlags },
  needs: 'context',
  given({ flags: { allow, reason, ...flags } }) {
    lockWait(flags);
    return { allow: allowances(allow, reason) };
  },
  run({ words, flags, given, context }) {
    requireConsent(context, flags, 'drift revert');
    return applied(context, flags, 'drift revert', (logged, project) => {
      const reverting: Project = { ...project, plan: () => project.revertDrift(words, given) };
      return planAndApply(logged, reverting, {}, flags);
    });
  },
});
