import { compareText } from '@platform-sync/core/model/address';
import type { Event, StepAction } from '@platform-sync/core/model/event';
import { visible } from '../words/escape.js';
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
  managed: 'may be what a stack manages, or did a moment ago',
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

/** Where a run stands. */
export interface ProgressCounts {
  readonly what: 'reading' | 'applying';
  readonly done: number;
  readonly failed: number;
  readonly total: number;
  readonly elapsedMs: number;
  /** What it waits for right now, if it does. */
  readonly waiting?: string | undefined;
}

/** `applying 120/551, 2 failed, 41/s, about 10 s left` */
export function progressLine(counts: ProgressCounts): string {
  const parts = [`${counts.what} ${counts.done}/${counts.total}`];
  if (counts.failed > 0) parts.push(`${counts.failed} failed`);
  const rate = counts.elapsedMs > 0 ? (counts.done * 1000) / counts.elapsedMs : 0;
  // The first moments say nothing about the rest.
  if (counts.elapsedMs >= 1000 && counts.done > 0) {
    parts.push(`${rate >= 10 ? Math.round(rate) : rate.toFixed(1)}/s`);
    if (counts.done < counts.total) parts.push(`about ${timeText(((counts.total - counts.done) / rate) * 1000)} left`);
  }
  if (counts.waiting !== undefined) parts.push(visible(counts.waiting));
  return parts.join(', ');
}

/** A step that is under way. */
interface RunningStep {
  readonly address: string;
  readonly action: StepAction;
  readonly elapsedMs: number;
}

// More rows would push what is done off the screen.
const mostRows = 8;

/** What is under way, as a tree of addresses: what stands in what. */
export function runningLines(steps: readonly RunningStep[]): readonly string[] {
  const sorted = [...steps].sort((a, b) => compareText(a.address, b.address));
  const shown = new Set<string>();
  const rows = sorted.flatMap(({ address, action, elapsedMs }) => {
    const keys = address.split('/');
    const above = keys.slice(0, -1).flatMap((key, depth) => {
      const path = keys.slice(0, depth + 1).join('/');
      return shown.has(path) ? [] : (shown.add(path), [row(key, depth)]);
    });
    shown.add(address);
    const time = elapsedMs < 1000 ? '' : `, ${timeText(elapsedMs)}`;
    return [...above, `${row(keys.at(-1) ?? '', keys.length - 1)}  ${action}${time}`];
  });
  const left = rows.length - mostRows;
  return left > 0 ? [...rows.slice(0, mostRows), `  … ${left} more`] : rows;
}

function row(key: string, depth: number): string {
  return `  ${'  '.repeat(depth)}${visible(key)}`;
}

/** `850 ms`, `12 s`, `3 min 20 s`, `2 h 5 min` */
export function timeText(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`;
  const seconds = Math.round(ms / 1000);
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return seconds % 60 === 0 ? `${minutes} min` : `${minutes} min ${seconds % 60} s`;
  return minutes % 60 === 0 ? `${minutes / 60} h` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}
