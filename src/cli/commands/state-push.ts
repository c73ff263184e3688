import { argument, boolean } from '../arguments/flag.js';
import { lockTimeout } from '../arguments/lock-timeout.js';
import type { ExitCode } from '../process/exit-code.js';
import { durationMs } from '../arguments/plan-flags.js';
import { givenText } from '../run/given-text.js';
import { withContext, withProject } from '../run/run-context.js';
import { changeState } from '../state/records.js';
import type { Host } from '../process/host.js';
import { SyncCommand } from '../run/sync-command.js';

export class StatePushCommand extends SyncCommand {
  static override summary = "Replace the stack's state with a document of sync state pull.";
  static override description =
    'Refused when the document belongs to another lineage or is older than what is there; --force does it anyway. Nothing happens on the platform.';
  static override examples = [
    '<%= config.bin %> state push backup.json',
    'cat backup.json | <%= config.bin %> state push -',
  ];
  static override args = {
    file: argument({ name: 'FILE', required: true, description: 'the document; - reads standard input' }),
  };
  static override flags = {
    force: boolean({ description: 'whatever the lineage and serial' }),
    'lock-timeout': lockTimeout,
    yes: boolean({ char: 'y', description: 'accepted for scripts; state push never asks' }),
  };

  override async execute(host: Host): Promise<ExitCode> {
    const { args, flags } = await this.parse(StatePushCommand);
    const waitMs = durationMs(flags['lock-timeout'], '--lock-timeout');
    return withContext(host, flags, async (context) => {
      const document = await givenText(host, context.cwd, args.file);
      return withProject(context, 'state push', async (project) => {
        await changeState(project, 'state push', waitMs, async (store, lease) => {
          await store.push(lease, document, { force: flags.force });
          return [];
        });
        const { serial, resources } = await (await project.state()).read();
        host.out(`State is now at serial ${serial} with ${resources.size} objects.\n`);
        return 0;
      });
    });
  }
}
