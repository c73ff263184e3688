import { argument, boolean } from '../arguments/flag.js';
import { lockTimeout } from '../arguments/lock-timeout.js';
import type { Intent } from '../../engine/model/state.js';
import { visible } from '../../report/words/escape.js';
import type { ExitCode } from '../process/exit-code.js';
import { durationMs } from '../arguments/plan-flags.js';
import { withContext, withProject } from '../run/run-context.js';
import { changeState, isAtOrUnder, recordsAt } from '../state/records.js';
import type { Host } from '../process/host.js';
import { SyncCommand } from '../run/sync-command.js';

export class StateRmCommand extends SyncCommand {
  static override summary = 'Forget objects; they stay on the platform.';
  static override description =
    'What is nested under an address is forgotten along with it. If the catalogue still describes them, the next plan creates them again, unless sync import or sync adopt brings them back.';
  static override examples = [
    '<%= config.bin %> state rm petstore/guide',
    '<%= config.bin %> state rm petstore payments',
  ];
  static override args = {
    address: argument({ name: 'ADDRESS', required: true, description: 'one or more addresses in state' }),
  };
  static override flags = {
    'lock-timeout': lockTimeout,
    yes: boolean({ char: 'y', description: 'accepted for scripts; state rm never asks' }),
  };
  static override strict = false;

  override async execute(host: Host): Promise<ExitCode> {
    const { argv, flags } = await this.parse(StateRmCommand);
    const waitMs = durationMs(flags['lock-timeout'], '--lock-timeout');
    return withContext(host, flags, (context) =>
      withProject(context, 'state rm', async (project) => {
        const removed = new Set<string>();
        const dropped = new Map<string, Intent>();
        await changeState(project, 'state rm', waitMs, async (store) => {
          const { resources, intents } = await store.read();
          for (const root of argv.map(String)) {
            const open = intents.filter(({ address }) => isAtOrUnder(address, root));
            for (const intent of open) dropped.set(intent.id, intent);
            // Of a create that was cut short there may be an intent and nothing else.
            if (open.length > 0 && !resources.has(root)) continue;
            for (const record of recordsAt(resources, root)) removed.add(record.address);
          }
          return [
            ...[...removed].map((address) => ({ kind: 'remove', address }) as const),
            ...[...dropped.keys()].map((id) => ({ kind: 'close-intent', id }) as const),
          ];
        });
        host.out([...removed].map((address) => `forgot ${visible(address)}\n`).join(''));
        host.out([...dropped.values()].map(droppedLine).join(''));
        return 0;
      }),
    );
  }
}

function droppedLine({ action, address }: Intent): string {
  return `forgot the unfinished ${action} of ${visible(address)}\n`;
}
