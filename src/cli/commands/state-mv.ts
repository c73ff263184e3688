import { argument, boolean, string as textFlag } from '../arguments/flag.js';
import { lockTimeout, lockWait } from '../arguments/shared-flags.js';
import { addressKeyPattern, type Address } from '@platform-sync/core/model/address';
import type { Project } from '@platform-sync/engine/api';
import { hasErrors } from '@platform-sync/core/model/diagnostic';
import { visible } from '@platform-sync/report/words/escape';
import type { ExitCode } from '../process/exit-code.js';
import { printProblems, type RunContext } from '../run/run-context.js';
import { handOver, type HandOver, refuseUnfinished, refuseUnmade } from '../state/hand-over.js';
import { changeState, isAtOrUnder, recordsAt, stateProblem } from '../state/records.js';
import { command } from '../run/command.js';
import { UsageError } from '../process/usage-error.js';

export const stateMvCommand = command({
  summary: 'Move a record to another address or another stack.',
  description:
    "What is nested under it moves along. Nothing happens on the platform. In a catalogue the option aliases does the same for everybody who applies it. With --to-stack the record goes to another stack of the project; its block should move to that stack's catalogue at the same time.",
  examples: ['sync state mv petstore pet-store', 'sync state mv petstore --to-stack production'],
  args: {
    from: argument({ name: 'FROM', required: true, description: 'address in state' }),
    to: argument({ name: 'TO', description: 'new address; may be left out with --to-stack' }),
  },
  flags: {
    'to-stack': textFlag({ description: 'hand the record to this stack', helpValue: 'STACK' }),
    'lock-timeout': lockTimeout,
    yes: boolean({ char: 'y', description: 'accepted for scripts; state mv never asks' }),
  },
  needs: 'project',
  given({ args, flags }) {
    const { from } = args;
    const otherStack = flags['to-stack'];
    if (args.to === undefined && otherStack === undefined)
      throw new UsageError('state mv needs a new address', 'Or name another stack: --to-stack STACK');
    const to = args.to ?? from;
    if (!to.split('/').every((key) => addressKeyPattern.test(key)))
      throw new UsageError(`"${to}" is not an address: keys of letters, digits, _ and -, joined by /`);
    return { from, to, otherStack, ...lockWait(flags) };
  },
  async run({ given, host, context, project }) {
    const { from, to, otherStack, lockTimeoutMs: waitMs } = given;
    if (otherStack !== undefined) return handToStack(context, project, otherStack, { from, to }, waitMs);
    const moved: [Address, Address][] = [];
    await changeState(project, 'state mv', waitMs, async (store) => {
      const state = await store.read();
      const { resources } = state;
      for (const record of recordsAt(resources, from))
        moved.push([record.address, to + record.address.slice(from.length)]);
      const taken = moved.find(([, target]) => resources.has(target));
      if (taken !== undefined)
        throw stateProblem('state-address-taken', `State already has ${taken[1]}.`, 'move or remove that one first');
      refuseUnfinished(state, ({ address }) => isAtOrUnder(address, from));
      refuseUnmade(
        state,
        moved.map(([, target]) => target),
      );
      return moved.map(([old, target]) => ({ kind: 'move', from: old, to: target }));
    });
    host.out(moved.map(([old, target]) => `moved ${visible(old)} to ${visible(target)}\n`).join(''));
    return 0;
  },
});

/** The other stack is opened as its own run would, with its own settings. */
async function handToStack(
  context: RunContext,
  project: Project,
  stack: string,
  what: HandOver,
  waitMs: number,
): Promise<ExitCode> {
  const { host, folder } = context;
  if (stack === project.config.stack)
    throw stateProblem('state-same-stack', `${stack} is the stack that has ${what.from}.`, 'name another one');
  const packages = await host.packages();
  const other = await host.openProject({ cwd: folder, env: host.env, purpose: 'state mv', packages, stack });
  try {
    printProblems(context, other.diagnostics);
    if (other.project === undefined || hasErrors(other.diagnostics)) return 1;
    const moved = await handOver(await project.state(), await other.project.state(), what, waitMs);
    const line = ([old, target]: readonly [Address, Address]): string =>
      `moved ${visible(old)} to ${visible(target)} of the stack ${visible(stack)}\n`;
    host.out(moved.map(line).join(''));
    return 0;
  } finally {
    await other.project?.close();
  }
}
