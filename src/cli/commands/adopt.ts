import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { string } from '../arguments/flag.js';
import { lockWait } from '../arguments/lock-timeout.js';
import { applied } from '../plan/apply-report.js';
import { planAndApply, requireConsent } from '../plan/plan-and-apply.js';
import { applyFlags, planFlags, planOptions } from '../arguments/plan-flags.js';
import { fileReason } from '../files/file-reason.js';
import { UsageError } from '../process/usage-error.js';
import { command } from '../run/command.js';

export const adoptCommand = command({
  summary: 'Bring objects that already exist under management.',
  description:
    'Looks for what the catalogue describes and state does not know by its natural key (an API by name and version, a document by its slug …), or by the ids of a Pulumi stack, shows what it found as a plan of adopt steps, asks, and records it. Also the way back when state was lost.',
  examples: ['sync adopt', 'sync adopt --target petstore --yes', 'sync adopt --from-pulumi stack.json'],
  flags: {
    ...planFlags,
    ...applyFlags,
    'from-pulumi': string({
      description: 'take the objects of this Pulumi stack over by their ids (a file of pulumi stack export)',
      helpValue: 'FILE',
    }),
  },
  needs: 'context',
  given({ flags }) {
    lockWait(flags);
    return { ...planOptions(flags), mode: 'adopt' } as const;
  },
  async run({ flags, given, context }) {
    requireConsent(context, flags, 'adopt');
    const stack = flags['from-pulumi'];
    const options = stack === undefined ? given : { ...given, fromPulumi: await readStack(context.cwd, stack) };
    return applied(context, flags, 'adopt', (logged, project) => planAndApply(logged, project, options, flags));
  },
});

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
