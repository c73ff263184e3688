import { argument, boolean } from '../arguments/flag.js';
import { lockTimeout, lockWait } from '../arguments/shared-flags.js';
import { givenText } from '../run/given-text.js';
import { withProject } from '../run/run-context.js';
import { changeState } from '../state/records.js';
import { command } from '../run/command.js';

export const statePushCommand = command({
  summary: "Replace the stack's state with a document of sync state pull.",
  description:
    'Refused when the document belongs to another lineage or is older than what is there; --force does it anyway. Nothing happens on the platform.',
  examples: ['sync state push backup.json', 'cat backup.json | sync state push -'],
  args: {
    file: argument({ name: 'FILE', required: true, description: 'the document; - reads standard input' }),
  },
  flags: {
    force: boolean({ description: 'whatever the lineage and serial' }),
    'lock-timeout': lockTimeout,
    yes: boolean({ char: 'y', description: 'accepted for scripts; state push never asks' }),
  },
  needs: 'context',
  given: ({ flags }) => lockWait(flags),
  async run({ args, flags, given, host, context }) {
    const document = await givenText(host, context.cwd, args.file);
    return withProject(context, 'state push', async (project) => {
      await changeState(project, 'state push', given.lockTimeoutMs, async (store, lease) => {
        await store.push(lease, document, { force: flags.force });
        return [];
      });
      const { serial, resources } = await (await project.state()).read();
      host.out(`State is now at serial ${serial} with ${resources.size} objects.\n`);
      return 0;
    });
  },
});
