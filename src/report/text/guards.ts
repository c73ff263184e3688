import type { GuardFinding } from '../../engine/model/plan.js';
import type { GuardsShown } from '../view/guards-shown.js';
import { visible } from '../words/escape.js';
import { expiredSentence, liftingWords } from '../words/guards.js';
import { adoptCommand } from '../words/no-record.js';
import type { Style } from './style.js';

const shownAddresses = 10;

/** The refusals of a plan, with the words that lift them, and the ones that were lifted. */
export function guardLines({ guards, adoption }: GuardsShown, style: Style): readonly string[] {
  const blocking = guards.filter((guard) => guard.lifted === undefined);
  const lifted = guards.filter((guard) => guard.lifted !== undefined);
  const lines: string[] = [];
  if (blocking.length > 0 || adoption !== undefined) lines.push(style.bold(style.red('Blocked:')));
  if (adoption !== undefined)
    lines.push(...finding(adoption, style), '  Record them first:', `    ${style.bold(style.typed(adoptCommand))}`);
  if (blocking.length > 0) {
    for (const guard of blocking) lines.push(...finding(guard, style));
    lines.push(`  To go ahead, repeat the command with: ${style.bold(liftingWords(blocking))}`);
  }
  for (const guard of lifted) {
    lines.push(style.yellow(`Guard ${visible(guard.name)} lifted: ${visible(guard.summary)}`));
    lines.push(`  reason given: ${visible(guard.lifted ?? '')}`);
  }
  return lines;
}

function finding(guard: GuardFinding, style: Style): readonly string[] {
  const shown = guard.addresses.slice(0, shownAddresses).map(visible);
  const more = guard.addresses.length - shown.length;
  return [
    `  ${style.red(visible(guard.name))}: ${visible(guard.summary)}`,
    ...(guard.expired === undefined ? [] : [`    ${expiredSentence(guard.expired)}`]),
    ...(shown.length === 0 ? [] : [`    ${shown.join(', ')}${more > 0 ? `, and ${more} more` : ''}`]),
  ];
}
