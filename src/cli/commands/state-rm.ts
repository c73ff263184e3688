import { argument, boolean } from '../arguments/flag.js';
import { lockTimeout, lockWait } from '../arguments/shared-flags.js';
import { isSettling, type Intent } from '@platform-sync/core/model/state';
import { leftBy, settling } from '@platform-sync/engine/refresh/evidence';
import { visible } from '@platform-sync/report/words/escape';
import { refuseUnfinished } from '../state/hand-over.js';
import { changeState, isAtOrUnder, recordsAt } from '../state/records.js';
import { command } from '../run/command.js';

export const stateRmCommand = command({
  summary: 'Forget objects; they stay on the platform.',
  description:
    'Everything nested under an address is forgotten, too. If the catalogue still describes them, the next plan creates them again, unless sync adopt brings them back. An unfinished create is forgotten once what it may have made would show (timing.settleSeconds).',
  examples: ['sync state rm petstore/guide', 'sync state rm petstore payments'],
  args: {
    address: argument({ name: 'ADDRESS', required: true, description: 'one or more addresses in state' }),
  },
  flags: {
    'lock-timeout': lockTimeout,
    yes: boolean({ char: 'y', description: 'accepted for scripts; state rm never asks' }),
  },
  anyWords: true,
  needs: 'project',
  given: ({ flags }) => lockWait(flags),
  async run({ words, given, host, project }) {
    const removed = new Set<string>();
    const dropped = new Map<string, Intent>();
    await changeState(project, 'state rm', given.lockTimeoutMs, async (store) => {
      const { resources, intents, stack } = await store.read();
      const { settledBefore } = settling({ ...project, world: host.world });
      for (const root of words) {
        const open = intents.filter(({ address }) => isAtOrUnder(address, root));
        // What it may have made, or called so, would be made beside it: nobody forgets that before lists show it.
        refuseUnfinished(
          { intents: open, stack },
          (intent) => intent.action !== 'delete' && isSettling(leftBy(intent), settledBefore),
        );
        for (const intent of open) dropped.set(intent.id, intent);
        // Of a create that was cut short there may be an intent and nothing else.
        if (open.length > 0 && !resources.has(root)) continue;
        for (const record of recordsAt(resources, root)) removed.add(record.address);
      }
      // What comes before the end of an intent is told of the run that began it.
      return [
        ...[...dropped.keys()].map((id) => ({ kind: 'close-intent', id }) as const),
        ...[...removed].map((address) => ({ kind: 'remove', address }) as const),
      ];
    });
    host.out([...removed].map((address) => `forgot ${visible(address)}\n`).join(''));
    host.out([...dropped.values()].map(droppedLine).join(''));
    return 0;
  },
});

function droppedLine({ action, address }: Intent): string {
  return `forgot the unfinished ${action} of ${visible(address)}\n`;
}
