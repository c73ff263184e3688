import type { Event, StepAction } from '@platform-sync/core/model/event';
import { visible } from '../words/escape.js';
import { timeText } from './progress-line.js';
import type { Style } from './style.js';

const pastTense: Readonly<Record<StepAction, string>> = {
  create: 'created',
  update: 'updated',
  replace: 'replaced',
  delete: 'deleted',
  'delete-old': 'deleted the old object of',
  park: 'gave a passing name to',
  forget: 'forgot',
  adopt: 'adopted',
  move: 'moved',
  options: 'recorded the options of',
};

const outcomes = {
  adopted: 'found on the platform and taken into state',
  'not-sent': 'had not reached the platform',
  deleted: 'had been deleted',
  updated: 'had been updated',
  recorded: 'was done; this machine recorded it while the state store was away',
} as const;

/** The line an event is told as; undefined for those that only move the progress. */
export function eventLine(event: Event, style: Style): string | undefined {
  switch (event.type) {
    case 'step-done':
      return `${style.green('done')}    ${pastTense[event.action]} ${visible(event.address)}${tail(event.id, event.durationMs)}`;
    case 'step-failed':
      return `${style.red('failed')}  ${event.action} ${visible(event.address)}: ${event.diagnostics.map((found) => visible(found.summary)).join('; ')}`;
    case 'step-skipped':
      // Thousands may be left out when the whole run ends early; the result counts them.
      if (event.because === 'interrupted' || event.because === 'stopped') return undefined;
      return `${style.yellow('skipped')} ${event.action} ${visible(event.address)} (${visible(event.because)})`;
    case 'recovered':
      return `${style.cyan('settled')} an unfinished write of an earlier run: ${visible(event.address)} ${outcomes[event.outcome]}`;
    default:
      return undefined;
  }
}

function tail(id: string | undefined, durationMs: number): string {
  return id === undefined ? ` (${timeText(durationMs)})` : ` (id ${visible(id)}, ${timeText(durationMs)})`;
}
