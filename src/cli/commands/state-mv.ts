import { string } from '@oclif/core/args';
import { boolean, string as textFlag } from '@oclif/core/flags';
import { addressKeyPattern } from '../../engine/model/address.js';
import type { Address } from '../../engine/model/address.js';
import { visible } from '../../report/escape.js';
import type { ExitCode } from '../exit-code.js';
import { durationMs } from '../plan-flags.js';
import { withContext, withProject } from '../run-context.js';
import { changeState, recordsAt, stateProblem } from '../state-records.js';
import type { Surroundings } from '../surroundings.js';
import { SyncCommand } from '../sync-command.js';
import { UsageError } from '../usage-error.js';

export class StateMvCommand extends SyncCommand {
  static override summary = 'Give a recorded object another address.';
  static override description =
    'What is nested under it moves along. Nothing happens on the platform. In a catalogue the option aliases does the same for everybody who applies it.';
  static override examples = ['<%= config.bin %> state mv petstore pet-store'];
  static override args = {
    from: string({ name: 'FROM', required: true, description: 'address in state' }),
    to: string({ name: 'TO', required: true, description: 'new address' }),
  };
  static override flags = {
    'lock-timeout': textFlag({
      description: 'wait this long for another run to finish',
      helpValue: 'TIME',
      default: '0s',
    }),
    yes: boolean({ char: 'y', description: 'accepted for scripts; state mv never asks' }),
  };

  override async execute(around: Surroundings): Promise<ExitCode> {
    const { args, flags } = await this.parse(StateMvCommand);
    const { from, to } = args;
    if (!to.split('/').every((key) => addressKeyPattern.test(key)))
      throw new UsageError(`"${to}" is no address: keys of letters, digits, _ and -, joined by /`);
    const waitMs = durationMs(flags['lock-timeout'], '--lock-timeout');
    return withContext(around, flags, (context) =>
      withProject(context, 'state mv', async (project) => {
        const moved: [Address, Address][] = [];
        await changeState(project, 'state mv', waitMs, async (store) => {
          const { resources } = await store.read();
          for (const record of recordsAt(resources, from))
            moved.push([record.address, to + record.address.slice(from.length)]);
          const taken = moved.find(([, target]) => resources.has(target));
          if (taken !== undefined)
            throw stateProblem(
              'state-address-taken',
              `State already has ${taken[1]}.`,
              'move or remove that one first',
            );
          return moved.map(([old, target]) => ({ kind: 'move', from: old, to: target }));
        });
        around.out(moved.map(([old, target]) => `moved ${visible(old)} to ${visible(target)}\n`).join(''));
        return 0;
      }),
    );
  }
}
