import { option } from '../arguments/flag.js';
import { hasErrors } from '../../engine/model/diagnostic.js';
import { jsonText } from '../../report/words/json-text.js';
import { policyCheckText } from '../../report/text/policy-check.js';
import { exitCode, type ExitCode } from '../process/exit-code.js';
import { printProblems, withContext, withProject } from '../run/run-context.js';
import type { Host } from '../process/host.js';
import { SyncCommand } from '../run/sync-command.js';

export class PolicyCheckCommand extends SyncCommand {
  static override summary = 'Say what these files could do with secrets, and what of it is refused.';
  static override description =
    'Looks at sync.yaml with all its stacks and at the catalogue: where tokens, passwords and messages would go, which variables are read, and which of them a lookup would send. Sends nothing and opens no state, so a target that only the state knows counts as refused here. Exit code 1 when something is refused. The policy is the file or text of SYNC_POLICY.';
  static override examples = [
    '<%= config.bin %> policy check',
    'SYNC_POLICY=/etc/platform-sync/policy.yaml <%= config.bin %> policy check --format json',
  ];
  static override flags = {
    format: option({ options: ['text', 'json'] as const, description: 'how to report', default: 'text' as const })(),
  };

  override async execute(host: Host): Promise<ExitCode> {
    const { flags } = await this.parse(PolicyCheckCommand);
    return withContext(host, flags, (context) =>
      withProject(context, 'policy check', async (project) => {
        const checked = await project.checkPolicy();
        const isRefused = checked.findings.some(({ isAllowed }) => !isAllowed);
        const errors = isRefused || hasErrors(checked.diagnostics);
        if (flags.format === 'json') host.out(jsonText({ ok: !errors, ...checked }));
        else {
          printProblems(context, checked.diagnostics);
          host.out(policyCheckText(checked, context.style));
        }
        return exitCode({ errors });
      }),
    );
  }
}
