import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { string } from '../arguments/flag.js';
import { reportNoApply, withApplyReport } from '../plan/apply-report.js';
import type { ExitCode } from '../process/exit-code.js';
import { planAndApply, requireConsent } from '../plan/plan-and-apply.js';
import { applyFlags, durationMs, planFlags, planOptions } from '../arguments/plan-flags.js';
import { withContext, withProject } from '../run/run-context.js';
import type { Host } from '../process/host.js';
import { fileReason } from '../files/file-reason.js';
import { UsageError } from '../process/usage-error.js';
import { SyncCommand } from '../run/sync-command.js';

export class AdoptCommand extends SyncCommand {
  static override summary = 'Bring objects that already exist under management.';
  static override description =
    'Looks for what the catalogue describes and state does not know by its natural key (an API by name and version, a document by its slug …), or by the ids of a Pulumi stack, shows what it found as a plan of adopt steps, asks, and records it. Also the way back when state was lost.';
  static override examples = [
    '<%= config.bin %> adopt',
    '<%= config.bin %> adopt --target petstore --yes',
    '<%= config.bin %> adopt --from-pulumi stack.json',
  ];
  static override flags = {
    ...planFlags,
    ...applyFlags,
    'from-pulumi': string({
      description: 'take the objects of this Pulumi stack over by their ids (a file of pulumi stack export)',
      helpValue: 'FILE',
    }),
  };

  override async execute(host: Host): Promise<ExitCode> {
    const { flags } = await this.parse(AdoptCommand);
    const planned = { ...planOptions(flags), mode: 'adopt' } as const;
    const stack = flags['from-pulumi'];
    durationMs(flags['lock-timeout'], '--lock-timeout');
    return withContext(host, flags, async (context) => {
      requireConsent(context, flags, 'adopt');
      const options = stack === undefined ? planned : { ...planned, fromPulumi: await readStack(context.cwd, stack) };
      return withApplyReport(context, flags, (logged) =>
        withProject(
          logged,
          'adopt',
          (project) => planAndApply(logged, project, options, flags),
          (found) => reportNoApply(logged, flags, found),
        ),
      );
    });
  }
}

async function readStack(cwd: string, file: string): Promise<string> {
  try {
    return await readFile(resolve(cwd, file), 'utf8');
  } catch (error) {
    throw new UsageError(
      `${file} can't be read: ${fileReason(error)}`,
      'write it with pulumi stack export --file FILE',
    );
  }
}
