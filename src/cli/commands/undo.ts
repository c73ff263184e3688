import { argument, boolean } from '../arguments/flag.js';
import { hasErrors } from '@platform-sync/core/model/diagnostic';
import type { Project } from '@platform-sync/engine/api';
import { undoEditsText } from '@platform-sync/report/text/fix-done';
import { lockWait } from '../arguments/shared-flags.js';
import { applied } from '../plan/apply-report.js';
import { planAndApply, requireConsent } from '../plan/plan-and-apply.js';
import { printPlan } from '../plan/plan-report.js';
import { allowances, applyFlags, planFlags, requireDigests } from '../arguments/plan-flags.js';
import { exitCode, withoutPlan } from '../process/exit-code.js';
import { printProblems, withProject } from '../run/run-context.js';
import { runNumber } from '../state/run-history.js';
import { command } from '../run/command.js';

export const undoCommand = command({
  summary: 'Bring back what was recorded before a run.',
  description:
    'Plans, shows the plan, asks, and carries it out; guards hold as for any apply. Each field that the run changed goes back to what it was, objects that it deleted are made again under new ids, and what it made ends. Values of secrets and moves are not brought back; the command names them, and each place where the catalogue says otherwise, so that the next apply would do the same again. --edit writes these places instead, and sends nothing: plan, review and apply that like any other change.',
  examples: [
    'sync undo 41 --dry-run',
    'sync undo 41 petstore/guide  # only of this one',
    'sync undo 41 --edit  # into the catalogue files, for a pull request',
    'sync undo 41 --expect-effect 3f2a91c04b7d --yes  # what the dry run showed',
  ],
  anyWords: true,
  args: {
    run: argument({ name: 'RUN', required: true, description: 'number of the run in sync history, then addresses' }),
  },
  flags: {
    'dry-run': boolean({ description: 'only show the plan (with --edit: the edits)' }),
    edit: boolean({ description: 'only edit the catalogue files (where they differ); send nothing' }),
    ...{ allow: planFlags.allow, reason: planFlags.reason, ...applyFlags },
  },
  needs: 'context',
  given({ words: [run = '', ...addresses], flags: { allow, reason, ...flags } }) {
    lockWait(flags);
    requireDigests(flags);
    return { run: runNumber(run), addresses, allow: allowances(allow, reason) };
  },
  async run({ flags, given: { run, addresses, allow }, context }) {
    if (flags.edit)
      return withProject(context, 'undo', async (project) => {
        const result = await project.editUndone(run, addresses, { dryRun: flags['dry-run'] });
        printProblems(context, result.diagnostics);
        if (hasErrors(result.diagnostics)) return exitCode({ errors: true });
        context.host.out(undoEditsText(result, flags['dry-run'], context.style));
        const left = result.skipped.length > 0;
        return exitCode({ errors: left && result.edits.length === 0, partly: left });
      });
    if (flags['dry-run'])
      return withProject(context, 'undo', async (project) => {
        const { plan, diagnostics } = await project.undo(run, addresses, { allow });
        printProblems(context, diagnostics);
        if (plan === undefined) return exitCode(withoutPlan(diagnostics));
        await printPlan(context, plan, { suggest: false, summary: flags.quiet });
        return exitCode({});
      });
    requireConsent(context, flags, 'undo');
    return applied(context, flags, 'undo', (logged, project) => {
      const undoing: Project = { ...project, plan: () => project.undo(run, addresses, { allow }) };
      return planAndApply(logged, undoing, {}, flags);
    });
  },
});
