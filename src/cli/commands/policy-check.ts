import { textOrJson } from '../arguments/flag.js';
import { hasErrors } from '@platform-sync/core/model/diagnostic';
import { jsonText } from '@platform-sync/report/words/json-text';
import { policyCheckText } from '@platform-sync/report/text/policy-check';
import type { Project } from '@platform-sync/engine/api';
import { exitCode, type ExitCode } from '../process/exit-code.js';
import { printProblems, withProject } from '../run/run-context.js';
import { command } from '../run/command.js';

export const policyCheckCommand = command({
  summary: 'Show what these files could do with secrets, and what is refused.',
  description:
    'Looks at sync.yaml with all its stacks and at the catalogue: where tokens, passwords and messages would go, which variables are read, and which of them a lookup would send. Sends nothing and opens no state, so a target that only the state knows counts as refused here. Exit code 1 when something is refused. The permissions are the file or text of SYNC_POLICY.',
  examples: ['sync policy check', 'SYNC_POLICY=/etc/platform-sync/permissions.yaml sync policy check --format json'],
  flags: {
    format: textOrJson('how to report'),
  },
  needs: 'context',
  async run({ flags, host, context }) {
    const look = async (project: Project): Promise<ExitCode> => {
      const checked = await project.checkPolicy();
      const isRefused = checked.findings.some(({ isAllowed }) => !isAllowed);
      const errors = isRefused || hasErrors(checked.diagnostics);
      if (flags.format === 'json') host.out(jsonText({ ok: !errors, ...checked }));
      else {
        printProblems(context, checked.diagnostics);
        host.out(policyCheckText(checked, context.style));
      }
      return exitCode({ errors });
    };
    return withProject(context, 'policy check', look, undefined, { isForEveryStack: true });
  },
});
