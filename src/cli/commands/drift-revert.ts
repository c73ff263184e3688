import { argument } from '../arguments/flag.js';
import type { Project } from '../../engine/api.js';
import { reportNoApply, withApplyReport } from '../plan/apply-report.js';
import type { ExitCode } from '../process/exit-code.js';
import { planAndApply, requireConsent } from '../plan/plan-and-apply.js';
import { applyFlags, durationMs, planFlags, planOptions } from '../arguments/plan-flags.js';
import { withContext, withProject } from '../run/run-context.js';
import type { Host } from '../process/host.js';
import { SyncCommand } from '../run/sync-command.js';

export class DriftRevertCommand extends SyncCommand {
  static override summary = 'Put the platform back where it was changed outside.';
  static override description =
    'Plans for the named findings only (id, address, or address.field), shows the plan, asks, and carries it out. Guards hold as for any apply. The whole resource is planned: what its catalogue entry has not applied yet is part of it.';
  static override examples = [
    '<%= config.bin %> drift revert 1a2b3c4d5e',
    '<%= config.bin %> drift revert petstore.description petstore/guide --yes',
  ];
  static override strict = false;
  static override args = {
    finding: argument({ name: 'FINDING', required: true, description: 'ids, addresses, or address.field' }),
  };
  static override flags = { allow: planFlags.allow, reason: planFlags.reason, ...applyFlags };

  override async execute(host: Host): Promise<ExitCode> {
    const { argv, flags } = await this.parse(DriftRevertCommand);
    const findings = argv.map(String);
    const none = {
      target: undefined,
      exclude: undefined,
      replace: undefined,
      resend: undefined,
      refresh: 'auto' as const,
    };
    const { allow = [] } = planOptions({ ...none, allow: flags.allow, reason: flags.reason });
    durationMs(flags['lock-timeout'], '--lock-timeout');
    return withContext(host, flags, async (context) => {
      requireConsent(context, flags, 'drift revert');
      return withApplyReport(context, flags, (logged) =>
        withProject(
          logged,
          'drift revert',
          (project) => {
            const reverting: Project = { ...project, plan: () => project.revertDrift(findings, { allow }) };
            return planAndApply(logged, reverting, {}, flags);
          },
          (found) => reportNoApply(logged, flags, found),
        ),
      );
    });
  }
}
