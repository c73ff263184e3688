import { argument, boolean } from '../arguments/flag.js';
import { visible } from '../../report/words/escape.js';
import type { ExitCode } from '../process/exit-code.js';
import { withContext, withProject } from '../run/run-context.js';
import type { Host } from '../process/host.js';
import { SyncCommand } from '../run/sync-command.js';
import { UsageError } from '../process/usage-error.js';

export class StateUnlockCommand extends SyncCommand {
  static override summary = 'Break the lease of a run that is dead.';
  static override description =
    'A run that still lives hears of it and sends nothing more. Waits until what it has sent can not be under way any more: half a minute at most. A lease of a dead run ends by itself; the id stands in the message of the run that had to wait. With --now it does not wait: if that run still lives, its last writes and those of the next run may both be carried out.';
  static override examples = ['<%= config.bin %> state unlock 2f6b1c9e-8d35-4e0a-9a53-3b8f1f0b7c11'];
  static override args = { id: argument({ name: 'ID', required: true, description: 'id of the lease' }) };
  static override flags = {
    now: boolean({ description: 'do not wait: only for a run that is surely dead, or things may be made twice' }),
    yes: boolean({ char: 'y', description: 'accepted for scripts; state unlock never asks' }),
  };

  override async execute(host: Host): Promise<ExitCode> {
    const { args, flags } = await this.parse(StateUnlockCommand);
    return withContext(host, flags, (context) =>
      withProject(context, 'state unlock', async (project) => {
        const store = await project.state();
        if (!flags.now) host.err('waiting until nothing of that run can be under way\n');
        if (await store.unlock(args.id, { now: flags.now })) {
          host.out(`broke lease ${visible(args.id)}\n`);
          return 0;
        }
        const holder = await store.holder();
        const held =
          holder === undefined
            ? 'nobody holds the stack'
            : `the stack is held by ${holder.owner} with lease ${holder.id}`;
        throw new UsageError(`no lease ${args.id}: ${held}`);
      }),
    );
  }
}
