import type { PlanOutline } from '@platform-sync/core/model/plan';
import { shellWord } from './shell-word.js';

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
