import { defined } from '@platform-sync/core/model/value';
import { visible } from '@platform-sync/report/words/escape';
import { lockTimeout, lockWait } from '../arguments/shared-flags.js';
import { command } from '../run/command.js';

export const stateThawCommand = command({
  summary: 'End a freeze: runs may write again.',
  examples: ['sync state thaw'],
  flags: { 'lock-timeout': lockTimeout },
  needs: 'project',
  given: ({ flags }) => lockWait(flags),
  async run({ given: { lockTimeoutMs }, host, project }) {
    const store = await project.state();
    const known = await store.frozen();
    if (known === undefined) {
      host.out('The stack is not frozen.\n');
      return 0;
    }
    const lease = await store.acquire('state thaw', { waitMs: lockTimeoutMs, ...defined({ frozen: known.id }) });
    try {
      await store.freeze(lease, undefined);
    } finally {
      await lease.release();
    }
    host.out(`thawed ${known.id}: ${visible(known.reason)}\n`);
    return 0;
  },
});
