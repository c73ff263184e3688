import { visible } from '../words/escape.js';

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

/** `850 ms`, `12 s`, `3 min 20 s`, `2 h 5 min` */
export function timeText(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`;
  const seconds = Math.round(ms / 1000);
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return seconds % 60 === 0 ? `${minutes} min` : `${minutes} min ${seconds % 60} s`;
  return minutes % 60 === 0 ? `${minutes / 60} h` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}
