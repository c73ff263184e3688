import { string } from '../arguments/flag.js';
import { lockTimeout, lockWait } from '../arguments/shared-flags.js';
import { command } from '../run/command.js';
import { UsageError } from '../process/usage-error.js';

export const historyPruneCommand = command({
  summary: 'Drop old runs from the history, which says so from then on.',
  examples: ['sync history prune --keep-days 400'],
  flags: {
    'keep-days': string({ description: 'what is younger stays', helpValue: 'DAYS', required: true }),
    'lock-timeout': lockTimeout,
  },
  needs: 'project',
  given({ flags }) {
    const days = Number(flags['keep-days']);
    if (!Number.isInteger(days) || days < 1 || days > 36_500)
      throw new UsageError(`--keep-days takes a number of days, not "${flags['keep-days']}"`);
    return { days, ...lockWait(flags) };
  },
  async run({ given: { days, lockTimeoutMs }, host, project }) {
    const store = await project.state();
    const lease = await store.acquire('history prune', { waitMs: lockTimeoutMs });
    try {
      await store.pruneRuns(lease, new Date(host.world.now() - days * 86_400_000).toISOString());
    } finally {
      await lease.release();
    }
    host.out(`The history keeps the last ${String(days)} days.\n`);
    return 0;
  },
});
