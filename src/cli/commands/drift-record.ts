import { argument } from '../arguments/flag.js';
import { lockTimeout } from '../arguments/lock-timeout.js';
import { hasErrors } from '../../engine/model/diagnostic.js';
import { recordText } from '../../report/text/drift-done.js';
import { exitCode, withoutPlan, type ExitCode } from '../process/exit-code.js';
import { durationMs } from '../arguments/plan-flags.js';
import { printProblems, withContext, withProject } from '../run/run-context.js';
import type { Host } from '../process/host.js';
import { SyncCommand } from '../run/sync-command.js';

export class DriftRecordCommand extends SyncCommand {
  static override summary = 'Take what was changed outside into state, until it moves again.';
  static override description =
    'Like sync refresh, for the named findings only. The catalogue stays what is wanted: where it says something else, the next plan shows the difference as a change to apply.';
  static override examples = [
    '<%= config.bin %> drift record 1a2b3c4d5e',
    '<%= config.bin %> drift record petstore.labels --lock-timeout 30s',
  ];
  static override strict = false;
  static override args = {
    finding: argument({ name: 'FINDING', required: true, description: 'ids, addresses, or address.field' }),
  };
  static override flags = {
    'lock-timeout': lockTimeout,
  };

  override async execute(host: Host): Promise<ExitCode> {
    const { argv, flags } = await this.parse(DriftRecordCommand);
    const lockTimeoutMs = durationMs(flags['lock-timeout'], '--lock-timeout');
    return withContext(host, flags, (context) =>
      withProject(context, 'drift record', async (project) => {
        const result = await project.recordDrift(argv.map(String), { lockTimeoutMs });
        context.progress.finish();
        printProblems(context, result.diagnostics);
        if (hasErrors(result.diagnostics)) return exitCode(withoutPlan(result.diagnostics));
        host.out(recordText(result, context.style));
        return exitCode({});
      }),
    );
  }
}
