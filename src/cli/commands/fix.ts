import { resolve } from 'node:path';
import { argument, boolean } from '../arguments/flag.js';
import { hasErrors } from '@platform-sync/core/model/diagnostic';
import { fixText } from '@platform-sync/report/text/fix-done';
import { exitCode } from '../process/exit-code.js';
import { readPlanFile } from '../files/plan-file.js';
import { printProblems, withProject } from '../run/run-context.js';
import { command } from '../run/command.js';

export const fixCommand = command({
  summary: 'Record detected renames and adoptions in the catalogue.',
  description:
    'A plan moves an object whose key was renamed in the catalogue, and adopts one that has the key of a new resource. This writes both down where they belong, as the options aliases and import, so that other stacks and later runs know them. A specification whose change would replace its API becomes an ApiVersion below it, which is edited in place; the existing version is taken over. Comments and layout stay. Nothing is sent to the platform, and state is not written.',
  examples: ['sync fix plan.json --dry-run', 'sync fix plan.json'],
  args: {
    plan: argument({ name: 'PLAN', required: true, description: 'file written by sync plan --out' }),
  },
  flags: { 'dry-run': boolean({ description: 'show the edits without writing them' }) },
  needs: 'context',
  async run({ args, flags, host, context }) {
    const dryRun = flags['dry-run'];
    const { plan, diagnostic } = await readPlanFile(resolve(context.cwd, args.plan));
    if (plan === undefined) {
      printProblems(context, [diagnostic]);
      return exitCode({ errors: true });
    }
    return withProject(context, 'fix', async (project) => {
      const result = await project.fix(plan, { dryRun });
      printProblems(context, result.diagnostics);
      if (hasErrors(result.diagnostics)) return exitCode({ errors: true });
      host.out(fixText(result, dryRun, context.style));
      const left = result.skipped.length > 0;
      return exitCode({ errors: left && result.fixed.length === 0, partly: left });
    });
  },
});
