import { join } from 'node:path';
import { boolean } from '../arguments/flag.js';
import { defined } from '@platform-sync/core/model/value';
import { exitCodes, type ExitCode } from '../process/exit-code.js';
import { UsageError } from '../process/usage-error.js';
import type { RunContext } from './run-context.js';
import { typedWith } from './typed.js';

interface StackFlags {
  readonly 'all-stacks': boolean;
  readonly stack: string | undefined;
  readonly 'report-dir': string | undefined;
}

/** The flag of commands that work on each stack of a project in turn. */
export const everyStackFlag = {
  'all-stacks': boolean({
    description: 'every stack of sync.yaml, in its order; reports of a stack go to a folder of its name',
  }),
};

/** Refuses what is of one stack where all are meant. */
export function requireOneMeaning(flags: StackFlags, ofOneStack: readonly string[]): void {
  if (!flags['all-stacks']) return;
  const misplaced = [...(flags.stack === undefined ? [] : ['stack']), ...ofOneStack][0];
  if (misplaced !== undefined)
    throw new UsageError(`--${misplaced} is for one stack, and --all-stacks for all`, 'leave one of them out');
}

/**
 * Does a command's work, with `--all-stacks` once for each stack: one after the other, so that the platform meets one pace. `notBegun`: the
 * order counts, and none is begun after one that did not end well.
 */
export async function forStacks<F extends StackFlags>(
  context: RunContext,
  flags: F,
  work: (context: RunContext, flags: F) => Promise<ExitCode>,
  /** Where it is ordered, tells of a stack that is not begun, and of the one that ended badly before it. */
  notBegun?: (context: RunContext, flags: F, before: string) => Promise<void>,
): Promise<ExitCode> {
  if (!flags['all-stacks']) return work(context, flags);
  const stacks = await declaredStacks(context);
  // A project that can't be opened is told of as for one stack.
  if (stacks.length === 0) return work({ ...context, isForEveryStack: true }, flags);
  const codes: ExitCode[] = [];
  for (const stack of stacks) {
    if (codes.length > 0) context.host.out('\n');
    const code = await work(ofStack(context, stack), flagsOf(flags, stack));
    codes.push(code);
    if (context.interrupts.caught !== undefined || (notBegun !== undefined && code !== 0)) break;
  }
  const left = stacks.slice(codes.length);
  if (left.length > 0) context.host.err(`Not begun: ${left.map((stack) => `stack ${stack}`).join(', ')}.\n`);
  for (const stack of left)
    await notBegun?.(ofStack(context, stack), flagsOf(flags, stack), stacks[codes.length - 1] ?? '');
  return gravest(codes);
}

function flagsOf<F extends StackFlags>(flags: F, stack: string): F {
  const folder = flags['report-dir'];
  return { ...flags, stack, 'report-dir': folder === undefined ? undefined : join(folder, stack) };
}

/** What is printed is typed for that stack. */
function ofStack(context: RunContext, stack: string): RunContext {
  const flags = { ...context.flags, stack };
  const typed = typedWith(flags);
  return {
    ...context,
    flags,
    style: { ...context.style, typed },
    errorStyle: { ...context.errorStyle, typed },
  };
}

async function declaredStacks({ host, flags, folder }: RunContext): Promise<readonly string[]> {
  const { project } = await host.openProject({
    ...{ cwd: folder, env: host.env, purpose: 'list of stacks', packages: await host.packages() },
    ...{ isOffline: true, isForEveryStack: true, ...defined({ concurrency: flags.concurrency }) },
  });
  await project?.close();
  return project?.stacks ?? [];
}

function gravest(codes: readonly ExitCode[]): ExitCode {
  return exitCodes.find((code) => codes.includes(code)) ?? 0;
}
