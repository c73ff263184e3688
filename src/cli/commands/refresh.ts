import { boolean, option } from '../arguments/flag.js';
import { lockTimeout } from '../arguments/lock-timeout.js';
import { hasErrors } from '../../engine/model/diagnostic.js';
import { refreshText } from '../../report/text/apply-result.js';
import { exitCode, withoutPlan, type ExitCode } from '../process/exit-code.js';
import { durationMs } from '../arguments/plan-flags.js';
import { eventsFlag, selectionFlags, selectionOptions } from '../arguments/selection-flags.js';
import { withContext, withProject } from '../run/run-context.js';
import type { Host } from '../process/host.js';
import { SyncCommand } from '../run/sync-command.js';
import { jsonText } from '../../report/words/json-text.js';

export class RefreshCommand extends SyncCommand {
  static override summary = 'Record what the platform holds now; change nothing there.';
  static override description =
    'Reads every managed object and writes what it finds to state. What was changed outside is no longer drift afterwards: the next plan compares the catalogue with it.';
  static override examples = [
    '<%= config.bin %> refresh',
    '<%= config.bin %> refresh --target petstore',
    '<%= config.bin %> refresh --format json',
  ];
  static override flags = {
    ...selectionFlags,
    ...eventsFlag,
    format: option({ options: ['text', 'json'] as const, description: 'how to report', default: 'text' as const })(),
    'lock-timeout': lockTimeout,
    yes: boolean({ char: 'y', description: 'accepted for scripts; refresh never asks' }),
  };

  override async execute(host: Host): Promise<ExitCode> {
    const { flags } = await this.parse(RefreshCommand);
    const lockTimeoutMs = durationMs(flags['lock-timeout'], '--lock-timeout');
    return withContext(host, flags, (context) =>
      withProject(context, 'refresh', async (project) => {
        const result = await context.interrupts.guard((signals) =>
          project.refresh({ lockTimeoutMs, ...selectionOptions(flags), ...signals }),
        );
        context.progress.finish();
        host.out(
          flags.format === 'json'
            ? jsonText({ ok: !hasErrors(result.diagnostics), ...result })
            : refreshText(result, context.style),
        );
        return exitCode({
          ...(hasErrors(result.diagnostics) ? withoutPlan(result.diagnostics) : {}),
          ...(result.notCompared > 0 ? { notCompared: true } : {}),
          signal: context.interrupts.caught,
        });
      }),
    );
  }
}
