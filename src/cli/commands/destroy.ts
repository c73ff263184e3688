import { reportNoApply, withApplyReport } from '../plan/apply-report.js';
import type { ExitCode } from '../process/exit-code.js';
import { planAndApply, requireConsent } from '../plan/plan-and-apply.js';
import { applyFlags, durationMs, planFlags, planOptions } from '../arguments/plan-flags.js';
import { withContext, withProject } from '../run/run-context.js';
import type { Host } from '../process/host.js';
import { SyncCommand } from '../run/sync-command.js';

export class DestroyCommand extends SyncCommand {
  static override summary = 'Delete everything that is managed in this stack.';
  static override description =
    'The same as apply for an empty catalogue: plans, shows, asks, deletes in reverse order of dependencies. Protected objects block it. Objects that are not in state are never touched.';
  static override examples = ['<%= config.bin %> destroy', '<%= config.bin %> destroy --target petstore --yes'];
  static override flags = { ...planFlags, ...applyFlags };

  override async execute(host: Host): Promise<ExitCode> {
    const { flags } = await this.parse(DestroyCommand);
    const options = { ...planOptions(flags), mode: 'destroy' } as const;
    durationMs(flags['lock-timeout'], '--lock-timeout');
    return withContext(host, flags, (context) => {
      requireConsent(context, flags, 'destroy');
      return withApplyReport(context, flags, (logged) =>
        withProject(
          logged,
          'destroy',
          (project) => planAndApply(logged, project, options, flags),
          (found) => reportNoApply(logged, flags, found),
        ),
      );
    });
  }
}
