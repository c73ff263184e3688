import type { ApplyResult, RefreshResult } from '@platform-sync/core/model/results';
import { hasErrors } from '@platform-sync/core/model/diagnostic';
import type { PlanOutline } from '@platform-sync/core/model/plan';
import { applyDocument } from '../document/apply.js';
import { visible } from '../words/escape.js';
import { diagnosticsText } from './diagnostics.js';
import { documentText } from './document.js';
import type { Style } from './style.js';

/** What an apply did, for people: failures in the platform's words, what was skipped and why, and the counts. */
export function applyText(result: ApplyResult, plan: PlanOutline | undefined, style: Style): string {
  const isIncomplete = (plan?.notCompared.length ?? 0) > 0;
  const told =
    plan === undefined ? result : { ...result, sources: plan.meta.sources, ...(isIncomplete && { exitCode: 3 }) };
  return documentText(applyDocument(told, plan), { style });
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
  // A run that read nothing has refreshed nothing.
  const isRefused = hasErrors(result.diagnostics) && lines.length + result.unchanged + result.notCompared === 0;
  const said = [...lines, ...(problems === '' ? [] : [problems]), ...(isRefused ? [] : [style.bold(total)])];
  return `${said.join('\n')}\n`;
}
