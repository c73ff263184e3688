import { ownMember } from '../../engine/model/own-member.js';
import type { ApplyResult, PlanMismatch, RefreshResult, StepResult } from '../../engine/api.js';
import type { PlanOutline } from '../../engine/model/plan.js';
import { whySkipped } from '../view/apply-outcome.js';
import { diagnosticLines, diagnosticsText } from './diagnostics.js';
import { visible } from '../words/escape.js';
import { count } from '../words/plural.js';
import { planCommands } from '../words/next-steps.js';
import { selectionWords } from '../words/selection.js';
import type { Style } from './style.js';
import { inline } from '../words/value.js';

/** What an apply did, for people: failures in the platform's words, what was skipped and why, and the counts. */
export function applyText(result: ApplyResult, plan: PlanOutline | undefined, style: Style): string {
  const failed = result.steps.filter((step) => step.outcome === 'failed');
  const skipped = result.steps.filter((step) => step.outcome === 'skipped');
  const sections: (readonly string[])[] = [
    failed.flatMap((step) => failedLines(step, plan, style)),
    skippedSection(skipped, style),
    staleLines(result.mismatches ?? [], style),
    [diagnosticsText(result.diagnostics, style).trimEnd()].filter((text) => text !== ''),
    outputLines(result),
    [style.bold(verdict(result)), ...advice(result, plan).map(style.typed)],
  ];
  return `${sections
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join('\n'))
    .join('\n\n')}\n`;
}

function failedLines(step: StepResult, plan: PlanOutline | undefined, style: Style): readonly string[] {
  const place = plan && ownMember(plan.meta.sources, step.address);
  const where = place === undefined ? '' : `  ${style.dim(visible(place))}`;
  return [
    `${style.red('failed')}  ${visible(step.action)} ${style.bold(visible(step.address))}${where}`,
    ...(step.diagnostics ?? []).flatMap((found) => diagnosticLines(found, style).map((line) => `  ${line}`)),
  ];
}

/** Steps left out for one reason, named up to this number. */
const mostNamed = 5;

/** A line for each step that was left out, and one for all that were left out for the same reason when they are many. */
function skippedSection(skipped: readonly StepResult[], style: Style): readonly string[] {
  const plain = new Map<string, StepResult[]>();
  const lines: string[] = [];
  for (const step of skipped) {
    // Half of a replacement may have been done.
    const told = (step.diagnostics ?? []).flatMap((found) => diagnosticLines(found, style).map((line) => `  ${line}`));
    if (told.length > 0) lines.push(skippedLine(step, style), ...told);
    else add(plain, whySkipped(step), step);
  }
  for (const [why, steps] of plain) {
    if (steps.length <= mostNamed) lines.push(...steps.map((step) => skippedLine(step, style)));
    else lines.push(`${style.yellow('skipped')} ${namedSteps(steps)}: ${why}`);
  }
  return lines;
}

function add(groups: Map<string, StepResult[]>, why: string, step: StepResult): void {
  const group = groups.get(why);
  if (group === undefined) groups.set(why, [step]);
  else group.push(step);
}

function skippedLine(step: StepResult, style: Style): string {
  return `${style.yellow('skipped')} ${visible(step.action)} ${style.bold(visible(step.address))}: ${whySkipped(step)}`;
}

function namedSteps(steps: readonly StepResult[]): string {
  const named = steps.slice(0, 3).map((step) => `${visible(step.action)} ${visible(step.address)}`);
  return `${count(steps.length, 'step')} (${named.join(', ')} and ${steps.length - named.length} more)`;
}

function outputLines(result: ApplyResult): readonly string[] {
  const names = Object.keys(result.outputs);
  if (names.length === 0 || (result.status !== 'done' && result.status !== 'partly')) return [];
  return ['Outputs:', ...names.map((name) => `  ${visible(name)} = ${inline(result.outputs[name] ?? null)}`)];
}

function verdict(result: ApplyResult): string {
  const of = (outcome: StepResult['outcome']): number => result.steps.filter((step) => step.outcome === outcome).length;
  const counts = `${of('done')} done, ${of('failed')} failed, ${of('skipped')} skipped, ${count(result.requests, 'request')}`;
  switch (result.status) {
    case 'done':
      return result.steps.length === 0 ? 'Nothing to do.' : `Applied: ${counts}.`;
    case 'partly':
      return `Partly applied: ${counts}.`;
    case 'failed':
      return `Failed: ${counts}.`;
    case 'interrupted':
      return `Interrupted: ${counts}. What was done is in state.`;
    case 'stale':
      return 'Nothing was changed: the plan is not what would happen now.';
    case 'blocked':
      return 'Nothing was changed: a guard blocks the plan.';
  }
}

function advice(result: ApplyResult, plan: PlanOutline | undefined): readonly string[] {
  if (result.status === 'partly' || result.status === 'failed')
    return [`After mending the cause, type: ${whatIsLeft(result, plan)} (it does only what is left)`];
  if (result.status === 'interrupted') return [`To go on, type: ${whatIsLeft(result, plan)}`];
  if (result.status === 'stale') return ['To see what would happen now, type: sync plan'];
  return [];
}

/** A plan file is of no use twice: what is left is planned anew, with the same choice. */
function whatIsLeft(result: ApplyResult, plan: PlanOutline | undefined): string {
  if (plan === undefined) return planCommands.apply;
  const done = new Set(result.steps.filter((step) => step.outcome === 'done').map((step) => step.address));
  return [planCommands[plan.mode], ...selectionWords(plan, (step) => !done.has(step.address))].join(' ');
}

/** One block a mismatch: what was reviewed, what is now, what it means. */
function staleLines(mismatches: readonly PlanMismatch[], style: Style): readonly string[] {
  return mismatches.flatMap((found) => [
    style.bold(style.red(visible(found.what))),
    `  reviewed: ${visible(found.reviewed)}`,
    `  now:      ${visible(found.now)}`,
    `  ${visible(found.meaning)}`,
  ]);
}

/** What a refresh found. */
export function refreshText(result: RefreshResult, style: Style): string {
  const lines = [
    ...result.changed.map(
      (address) => `${style.yellow('~')} ${visible(address)} was changed outside; state has it now`,
    ),
    ...result.gone.map((address) => `${style.red('-')} ${visible(address)} is gone; state has dropped it`),
  ];
  const left = result.notCompared === 0 ? '' : `, ${result.notCompared} could not be read`;
  const total = `Refreshed: ${result.changed.length} changed, ${result.gone.length} gone, ${result.unchanged} unchanged${left}.`;
  const problems = diagnosticsText(result.diagnostics, style).trimEnd();
  return `${[...lines, ...(problems === '' ? [] : [problems]), style.bold(total)].join('\n')}\n`;
}
