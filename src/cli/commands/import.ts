import { argument, boolean } from '../arguments/flag.js';
import { lockTimeout } from '../arguments/lock-timeout.js';
import { hasErrors } from '../../engine/model/diagnostic.js';
import { visible } from '../../report/words/escape.js';
import { exitCode, withoutPlan } from '../process/exit-code.js';
import type { ExitCode } from '../process/exit-code.js';
import { durationMs } from '../arguments/plan-flags.js';
import { printProblems, withContext, withProject } from '../run/run-context.js';
import type { Host } from '../process/host.js';
import { SyncCommand } from '../run/sync-command.js';

export class ImportCommand extends SyncCommand {
  static override summary = 'Bring one existing object under management.';
  static override description =
    'ADDRESS must stand in the catalogue and not yet in state. ID is the id as the platform gives it: plain text, or JSON where an object lives inside another one (sync schema TYPE shows the form). Only state is written.';
  static override examples = [
    '<%= config.bin %> import petstore 6f1c0c0e-51d5-4f39-8c2c-1a2b3c4d5e6f',
    '<%= config.bin %> import petstore/guide \'{"api_id":"6f1c…","id":"0b7d…"}\'',
  ];
  static override args = {
    address: argument({ name: 'ADDRESS', required: true, description: 'address in the catalogue' }),
    id: argument({ name: 'ID', required: true, description: 'id of the existing object' }),
  };
  static override flags = {
    'lock-timeout': lockTimeout,
    yes: boolean({ char: 'y', description: 'accepted for scripts; import never asks' }),
  };

  override async execute(host: Host): Promise<ExitCode> {
    const { args, flags } = await this.parse(ImportCommand);
    const lockTimeoutMs = durationMs(flags['lock-timeout'], '--lock-timeout');
    return withContext(host, flags, (context) =>
      withProject(context, 'import', async (project) => {
        const result = await context.interrupts.guard((signals) =>
          project.importResource(args.address, args.id, { lockTimeoutMs, ...signals }),
        );
        printProblems(context, result.diagnostics);
        if (result.address !== undefined && !hasErrors(result.diagnostics)) {
          host.out(
            `Imported ${visible(result.address)} (id ${visible(result.id ?? args.id)}). ${context.style.typed('To see how it differs, type: sync plan')}\n`,
          );
        }
        const failed = hasErrors(result.diagnostics) ? withoutPlan(result.diagnostics) : {};
        return exitCode({ ...failed, signal: context.interrupts.caught });
      }),
    );
  }
}
