import { reportNoApply, withApplyReport } from '../plan/apply-report.js';
import type { ExitCode } from '../process/exit-code.js';
import { planAndApply, requireConsent } from '../plan/plan-and-apply.js';
import { applyFlags, durationMs, planFlags, planOptions } from '../arguments/plan-flags.js';
import { withContext, withProject } from '../run/run-context.js';
import type { Host } from '../process/host.js';
import { SyncCommand } from '../run/sync-command.js';

export class AdoptCommand extends SyncCommand {
  static override summary = 'Bring objects that already exist under management.';
  static override description =
    'Looks for what the catalogue describes and state does not know by its natural key (an API by name and version, a document by its slug …), shows what it found as a plan of adopt steps, asks, and records it. Also the way back when state was lost.';
  static override examples = ['<%= config.bin %> adopt', '<%= config.bin %> adopt --target petstore --yes'];
  static override flags = { ...planFlags, ...applyFlags };

  override async execute(host: Host): Promise<ExitCode> {
    const { flags } = await this.parse(AdoptCommand);
    const options = { ...planOptions(flags), mode: 'adopt' } as const;
    durationMs(flags['lock-timeout'], '--lock-timeout');
    return withContext(host, flags, (context) => {
      requireConsent(context, flags, 'adopt');
      return withApplyReport(context, flags, () =>
        withProject(
          context,
          'adopt',
          (project) => planAndApply(context, project, options, flags),
          (found) => reportNoApply(context, flags, found),
        ),
      );
    });
  }
}
