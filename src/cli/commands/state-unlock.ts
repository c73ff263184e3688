import { argument, boolean } from '../arguments/flag.js';
import { visible } from '@platform-sync/report/words/escape';
import { command } from '../run/command.js';
import { UsageError } from '../process/usage-error.js';

export const stateUnlockCommand = command({
  summary: 'Break the lease of a dead run.',
  description:
    'A run that is still alive notices it and sends nothing more. The command waits until none of its writes can be under way: half a minute at most. The lease of a dead run ends by itself; the message of the waiting run has the id. --now does not wait: if that run is alive, its last writes and those of the next run may both be carried out.',
  examples: ['sync state unlock 2f6b1c9e-8d35-4e0a-9a53-3b8f1f0b7c11'],
  args: { id: argument({ name: 'ID', required: true, description: 'id of the lease' }) },
  flags: {
    now: boolean({ description: 'do not wait: only for a run that is surely dead' }),
    yes: boolean({ char: 'y', description: 'accepted for scripts; state unlock never asks' }),
  },
  needs: 'project',
  async run({ args, flags, host, project }) {
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
        : `the stack is locked by ${holder.owner} with lease ${holder.id}`;
    throw new UsageError(`no lease ${args.id}: ${held}`);
  },
});
