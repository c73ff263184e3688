import { argument, boolean, integer, option } from '../arguments/flag.js';
import type { Project } from '@platform-sync/engine/api';
import { driftSeverities } from '@platform-sync/core/model/drift';
import { lockWait } from '../arguments/shared-flags.js';
import { applied } from '../plan/apply-report.js';
import { planAndApply, requireConsent } from '../plan/plan-and-apply.js';
import { allowances, applyFlags, planFlags } from '../arguments/plan-flags.js';
import { UsageError } from '../process/usage-error.js';
import { command } from '../run/command.js';

export const driftRevertCommand = command({
  summary: 'Undo changes made outside on the platform.',
  description:
    'Plans for the named findings only (id, address, or address.field), shows the plan, asks, and carries it out. Guards apply as in any apply. The plan covers the whole resource, including changes of its block that are not applied yet. --all reverts every finding of the check of this run, except for resources with such changes.',
  examples: [
    'sync drift revert 1a2b3c4d5e',
    'sync drift revert petstore.description petstore/guide --yes',
    'sync drift revert --all --severity high --at-most 5 --yes',
  ],
  anyWords: true,
  args: {
    finding: argument({ name: 'FINDING', description: 'ids, addresses, or address.field' }),
  },
  flags: {
    all: boolean({
      description: 'every finding that can be reverted (except for resources with other changes to apply)',
    }),
    severity: option({
      options: driftSeverities,
      description: 'with --all: the lowest severity to revert; default: low',
    })(),
    'at-most': integer({
      description: 'with --all: the most findings to revert; if there are more, none is',
      helpValue: 'N',
      min: 1,
    }),
    ...{ allow: planFlags.allow, reason: planFlags.reason, ...applyFlags },
  },
  needs: 'context',
  given({ words, flags: { allow, reason, all, severity = 'low', 'at-most': atMost, ...flags } }) {
    lockWait(flags);
    if (all && words.length > 0)
      throw new UsageError('--all means every finding, but some are named', 'leave one of them out');
    if (all && atMost === undefined)
      throw new UsageError(
        '--all needs --at-most N',
        'the most findings you expect; if there are more, none is reverted',
      );
    if (!all && words.length === 0)
      throw new UsageError(
        'sync drift revert needs FINDING (ids, addresses, or address.field)',
        'List them, or take all:\nsync drift\nsync drift revert --all --at-most N',
      );
    return { chosen: all && atMost !== undefined ? { severity, atMost } : words, allow: allowances(allow, reason) };
  },
  run({ flags, given: { chosen, allow }, context }) {
    requireConsent(context, flags, 'drift revert');
    return applied(context, flags, 'drift revert', (logged, project) => {
      const reverting: Project = { ...project, plan: () => project.revertDrift(chosen, { allow }) };
      return planAndApply(logged, reverting, {}, flags);
    });
  },
});
