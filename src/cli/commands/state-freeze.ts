import { defined } from '@platform-sync/core/model/value';
import { momentIn } from '@platform-sync/core/model/world';
import { string } from '../arguments/flag.js';
import { lockTimeout, lockWait } from '../arguments/shared-flags.js';
import { command } from '../run/command.js';
import { UsageError } from '../process/usage-error.js';

export const stateFreezeCommand = command({
  summary: 'Hold back every run that writes, but those that name the freeze.',
  description:
    'Waits for a run that writes now. From then on apply, destroy, refresh and all else that writes to this stack refuse (exit code 1) unless they say --frozen ID. Plans, their comments and drift checks say it on top. It ends by sync state thaw, or by --until.',
  examples: ['sync state freeze --reason "release week, ticket 42" --until 2030-01-31T18:00:00Z'],
  flags: {
    reason: string({ description: 'why; everybody who is held back reads it', helpValue: 'TEXT', required: true }),
    until: string({ description: 'ends by itself then: a day, or a moment with its zone', helpValue: 'TIME' }),
    'lock-timeout': lockTimeout,
  },
  needs: 'project',
  given({ flags, host }) {
    const reason = flags.reason.trim();
    if (reason === '') throw new UsageError('--reason is empty', 'say why: --reason "release week, ticket 42"');
    return { reason, ...defined({ until: untilOf(flags.until, host.world.now()) }), ...lockWait(flags) };
  },
  async run({ given: { reason, until, lockTimeoutMs }, host, project }) {
    const store = await project.state();
    const known = await store.frozen();
    const lease = await store.acquire('state freeze', {
      waitMs: lockTimeoutMs,
      ...defined({ frozen: known?.id }),
    });
    const id = host.world.id().slice(0, 8);
    try {
      const since = momentIn(host.world);
      await store.freeze(lease, { id, reason, by: host.world.processes.owner(), since, ...defined({ until }) });
    } finally {
      await lease.release();
    }
    host.out(
      `frozen ${id}\nTo write all the same, type:\n  sync apply --frozen ${id}\nTo end it, type:\n  sync state thaw\n`,
    );
    return 0;
  },
});

/** A day ends it at its last moment, UTC. */
function untilOf(text: string | undefined, now: number): string | undefined {
  if (text === undefined) return undefined;
  const isDay = /^\d{4}-\d{2}-\d{2}$/.test(text);
  const moment = /^\d{4}-\d{2}-\d{2}T[\d:.]+(?:Z|[+-]\d{2}:\d{2})$/.test(text);
  const time = Date.parse(isDay ? `${text}T23:59:59.999Z` : text);
  if (!(isDay || moment) || Number.isNaN(time))
    throw new UsageError(`--until takes 2030-01-31 or 2030-01-31T18:00:00Z, not "${text}"`);
  if (time <= now) throw new UsageError(`--until ${text} is over already`);
  return new Date(time).toISOString();
}
