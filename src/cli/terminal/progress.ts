import type { Diagnostic } from '@platform-sync/core/model/diagnostic';
import type { Event, EventListener, StepAction } from '@platform-sync/core/model/event';
import { diagnosticLines } from '@platform-sync/report/text/diagnostics';
import { visible } from '@platform-sync/report/words/escape';
import {
  eventLine,
  type ProgressCounts,
  progressLine,
  runningLines,
  timeText,
} from '@platform-sync/report/text/event-line';
import type { Style } from '@platform-sync/report/text/style';
import { shows, type LogLevel } from '../arguments/global-flags.js';
import type { Host } from '../process/host.js';

// Fast enough to look alive, slow enough to cost nothing.
const repaintMs = 100;
// Logs are read later: a line every few seconds is enough.
const plainMs = 5000;
// A wait as long as that is told when it begins: nothing else may happen until it ends.
const longWaitMs = 5000;
// Requests that wait together say so together.
const sameWaitMs = 1000;

/** Prints the engine's events on stderr: on a terminal above a count and the tree of what is under way, both painted again and again; plain lines elsewhere. */
export class Progress {
  readonly #host: Host;
  readonly #level: LogLevel;
  readonly #style: Style;
  #counts: { -readonly [K in keyof ProgressCounts]: ProgressCounts[K] } | undefined;
  #startedAt = 0;
  #paintedAt = 0;
  /** Rows on the screen that are painted again. */
  #painted = 0;
  readonly #running = new Map<string, { readonly action: StepAction; readonly since: number }>();
  readonly #told = new Set<string>();

  constructor(host: Host, level: LogLevel, style: Style) {
    this.#host = host;
    this.#level = level;
    this.#style = style;
  }

  readonly listener: EventListener = (event) => {
    if (event.type === 'step-started')
      this.#running.set(event.address, { action: event.action, since: this.#host.world.steady() });
    if (event.type === 'step-done' || event.type === 'step-failed') this.#running.delete(event.address);
    this.#count(event);
    const line = this.#line(event);
    if (line !== undefined) this.#print(line);
    this.#repaint(event.type === 'waiting' && event.ms >= longWaitMs ? sameWaitMs : plainMs);
  };

  /** Takes the rewriting line away; call before printing anything else. */
  clear(): void {
    if (this.#painted > 0) this.#host.err(`\r\u001b[K${'\u001b[1A\u001b[K'.repeat(this.#painted - 1)}`);
    this.#painted = 0;
  }

  /** Of these, what has not been told yet; it counts as told from now on. A warning comes as an event and in a result. */
  untold(diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
    return diagnostics.filter((found) => {
      const key = JSON.stringify([found.severity, found.code, found.summary, found.address, found.place]);
      return !this.#told.has(key) && this.#told.add(key);
    });
  }

  /** The work begins anew, and what was told before is told again. */
  again(): void {
    this.#told.clear();
  }

  /** The work is over. */
  finish(): void {
    this.clear();
    this.#counts = undefined;
    this.#running.clear();
  }

  #count(event: Event): void {
    const counts = this.#counts;
    if (event.type === 'reading') this.#start('reading', event.objects);
    else if (event.type === 'apply-started') this.#start('applying', event.steps);
    else if (event.type === 'apply-finished') this.finish();
    else if (counts === undefined) return;
    else if (event.type === 'read') this.#counts = { ...counts, done: event.done, total: event.total };
    else if (event.type === 'waiting') counts.waiting = `waiting ${timeText(event.ms)}: ${event.reason}`;
    else if (event.type === 'step-skipped') counts.done += 1;
    else if (event.type === 'step-done' || event.type === 'step-failed') {
      counts.done += 1;
      if (event.type === 'step-failed') counts.failed += 1;
      // Something moved again.
      counts.waiting = undefined;
    }
  }

  #start(what: ProgressCounts['what'], total: number): void {
    const now = this.#host.world.steady();
    this.#counts = { what, done: 0, failed: 0, total, elapsedMs: 0 };
    this.#startedAt = now;
    this.#paintedAt = now;
  }

  #line(event: Event): string | undefined {
    if (event.type === 'diagnostic') return this.#diagnostic(event);
    if (event.type === 'waiting') return this.#waiting(event);
    const level = event.type === 'step-failed' ? 'error' : event.type === 'step-skipped' ? 'warn' : 'info';
    return shows(this.#level, level) ? eventLine(event, this.#style) : undefined;
  }

  #diagnostic(event: Extract<Event, { type: 'diagnostic' }>): string | undefined {
    const { severity } = event.diagnostic;
    const level = severity === 'warning' ? 'warn' : severity;
    const [found] = shows(this.#level, level) ? this.untold([event.diagnostic]) : [];
    return found === undefined ? undefined : diagnosticLines(found, this.#style).join('\n');
  }

  /** Where there is no line with counts that would show it, a wait has its own. */
  #waiting({ ms, reason }: Extract<Event, { type: 'waiting' }>): string | undefined {
    const isSilent = this.#counts === undefined && ms >= sameWaitMs;
    return shows(this.#level, isSilent ? 'info' : 'debug') ? `waiting ${timeText(ms)}: ${visible(reason)}` : undefined;
  }

  #print(line: string): void {
    this.clear();
    this.#host.err(`${line}\n`);
    if (this.#host.errIsTerminal) this.#paintedAt = 0;
  }

  #repaint(everyMs: number): void {
    const counts = this.#counts;
    if (counts === undefined || !shows(this.#level, 'info')) return;
    const now = this.#host.world.steady();
    if (now - this.#paintedAt < (this.#host.errIsTerminal ? repaintMs : everyMs)) return;
    this.#paintedAt = now;
    const text = progressLine({ ...counts, elapsedMs: now - this.#startedAt });
    if (!this.#host.errIsTerminal) this.#host.err(`${text}\n`);
    else {
      const steps = [...this.#running].map(([address, { action, since }]) => ({
        address,
        action,
        elapsedMs: now - since,
      }));
      this.clear();
      // Longer than the terminal would wrap, and a wrapped line can't be rewritten.
      const lines = [text, ...runningLines(steps)].map((line) => line.slice(0, Math.max(10, this.#host.columns - 1)));
      this.#host.err(`\r\u001b[K${lines.join('\n')}`);
      this.#painted = lines.length;
    }
  }
}
