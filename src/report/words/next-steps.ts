import { isEmptyPlan, type Plan } from '@platform-sync/core/model/plan';
import { isBlocked } from './guards.js';
import { selectionWords } from './selection.js';
import { shellWord } from './shell-word.js';

export interface NextStepsContext {
  /** Path of the file the plan was written to, or read from. */
  readonly planFile?: string;
  /** False where the reader is about to be asked, or types nothing next. Default true. */
  readonly suggest?: boolean;
  /** How much was read to make the plan; `auto` unless given. */
  readonly refresh?: 'auto' | 'full' | 'none' | undefined;
  /** The command line as it has to be typed where this is read; as it is unless given. */
  readonly typed?: (commandLine: string) => string;
}

/** The command that makes and carries out a plan of that kind. */
export const planCommands: Readonly<Record<Plan['mode'], string>> = {
  apply: 'sync apply',
  destroy: 'sync destroy',
  adopt: 'sync adopt',
  refresh: 'sync refresh',
};

/** The command that carries the plan out; undefined when there is nothing to do, or a guard holds it back. */
export function applyCommand(plan: Plan, context: NextStepsContext): string | undefined {
  if (isBlocked(plan.guards) || isEmptyPlan(plan)) return undefined;
  const { planFile, refresh = 'auto', typed = (line) => line } = context;
  if (planFile !== undefined) return typed(`sync apply ${shellWord(planFile)}`);
  const reading = refresh === 'auto' ? [] : ['--refresh', refresh];
  return typed([planCommands[plan.mode], ...selectionWords(plan), ...reading].join(' '));
}
