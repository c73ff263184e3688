import { isEmptyPlan, type Plan, type PlanOutline, type UnmanagedObject } from '@platform-sync/core/model/plan';
import { isBlocked } from './guards.js';
import { shellWord, visible } from './escape.js';
import { typeName } from './value.js';

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

type OutlinedStep = PlanOutline['steps'][number];

/** The flags that choose what the plan is about and lift its guards, for typing them again. */
export function selectionWords(
  plan: PlanOutline,
  isOpen: (step: OutlinedStep) => boolean = () => true,
): readonly string[] {
  const { targets = [], excludes = [] } = plan.partial ?? {};
  const replaced = plan.steps.filter((step) => isRequested(step) && isOpen(step)).map((step) => step.address);
  const resent = plan.steps
    .filter((step) => step.reasons.some(({ kind }) => kind === 'resend') && isOpen(step))
    .map((step) => step.address);
  const lifted = plan.guards.filter((guard) => guard.lifted !== undefined);
  const reason = [...new Set(lifted.map((guard) => guard.lifted ?? ''))].join('; ');
  return [
    ...repeated('--target', targets),
    ...repeated('--exclude', excludes),
    ...(plan.leftOut === undefined ? [] : ['--no-delete']),
    ...repeated('--replace', replaced),
    ...repeated('--resend', resent),
    ...repeated('--allow', [...new Set(lifted.map((guard) => guard.name))]),
    ...(lifted.length === 0 ? [] : ['--reason', shellWord(reason)]),
  ];
}

function repeated(flag: string, values: readonly string[]): readonly string[] {
  return values.flatMap((value) => [flag, shellWord(value)]);
}

/** Replaced because the command line said so, and by nothing else. */
function isRequested({ reasons }: OutlinedStep): boolean {
  return reasons.some((reason) => reason.kind === 'requested');
}

/** `platform:ApiDocument 0b7d… under petstore, which the public sees`: everything but the name; visible, not escaped. */
export function unmanagedWords({ type, under, id, visible: isShown }: UnmanagedObject): string {
  const where = under === undefined ? '' : ` under ${visible(under)}`;
  return `${typeName(type)} ${visible(id)}${where}${isShown ? ', which the public sees' : ''}`;
}

/** `sync adopt ADDRESS 0b7d…` */
export function importCommand({ importId }: Pick<UnmanagedObject, 'importId'>): string {
  return `sync adopt ADDRESS ${shellWord(importId)}`;
}

/** What to do about them. */
export const unmanagedHint =
  'Describe them in the catalogue and take them over (sync adopt), delete them on the platform, or leave them out of drift checks (sync drift ignore).';
