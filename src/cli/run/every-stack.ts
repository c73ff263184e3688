import { join } from 'node:path';
import { boolean } from '../arguments/flag.js';
import { defined } from '@platform-sync/core/model/value';
import { exitCodes, type ExitCode } from '../process/exit-code.js';
import { UsageError } from '../process/usage-error.js';
import type { RunContext } from './run-context.js';

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
 * Does a command's work, with `--all-stacks` once for each stack: one after the other, so that the platform meets one pace. `isOrdered`: a
 * stack that comes after one that did not end well is not begun.
 */
export async function forStacks<F extends StackFlags>(
  context: RunContext,
  flags: F,
  work: (context: RunContext, flags: F) => Promise<ExitCode>,
  { isOrdered = false } = {},
): Promise<ExitCode> {
  if (!flags['all-stacks']) return work(context, flags);
  const stacks = await declaredStacks(context);
  // A project that can't be opened is told of as for one stack.
  if (stacks.length === 0) return work({ ...context, isForEveryStack: true }, flags);
  const codes: ExitCode[] = [];
  for (const stack of stacks) {
    const folder = flags['report-dir'];
    const own = { ...flags, stack, 'report-dir': folder === undefined ? undefined : join(folder, stack) };
    if (codes.length > 0) context.host.out('\n');
    const code = await work({ ...context, flags: { ...context.flags, stack } }, own);
    codes.push(code);
    if (context.interrupts.caught !== undefined || (isOrdered && code !== 0)) break;
  }
  const left = stacks.slice(codes.length);
  if (left.length > 0) context.host.err(`Not begun: ${left.map((stack) => `stack ${stack}`).join(', ')}.\n`);
  return gravest(codes);
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
