import { closeSync, mkdirSync, openSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { DiagnosticError } from '@platform-sync/core/model/diagnostic';
import type { DriftStatus } from '@platform-sync/core/model/drift';
import type { Event } from '@platform-sync/core/model/event';
import type { PlanSummary } from '@platform-sync/core/model/plan';
import { momentIn, type World } from '@platform-sync/core/model/world';
import { fileReason } from './file-reason.js';
import { requireOwnPlace } from './report-file.js';

/** Of the lines; see schemas/events.schema.json. */
const formatVersion = 1;

/** What the command itself tells beside the engine. */
export type CommandEvent =
  | { readonly type: 'started'; readonly formatVersion: 1; readonly engine: string }
  | {
      readonly type: 'planned';
      readonly digest: string;
      readonly summary: PlanSummary;
      readonly blockedBy: readonly string[];
    }
  | { readonly type: 'checked'; readonly status: DriftStatus; readonly findings: number; readonly notCompared: number }
  /** Without a code: the program broke down. */
  | { readonly type: 'ended'; readonly exitCode?: number };

/** Writes what happens to a file or a pipe, one JSON object a line, each as it happens. */
export class EventLog {
  readonly #world: Pick<World, 'now'>;
  #file: number | undefined;

  /** Throws DiagnosticError where the file can't be written: nobody would follow a run without it. */
  constructor(path: string, world: Pick<World, 'now'>) {
    this.#world = world;
    try {
      requireOwnPlace(path);
      mkdirSync(dirname(path), { recursive: true });
      this.#file = openSync(path, 'w');
    } catch (error) {
      if (error instanceof DiagnosticError) throw error;
      throw new DiagnosticError([
        {
          severity: 'error',
          code: 'report-unwritable',
          summary: `The events ${path} can't be written: ${fileReason(error)}.`,
          hint: 'Remove the cause, or name another place for them.',
        },
      ]);
    }
  }

  start(engine: string): void {
    this.tell({ type: 'started', formatVersion, engine });
  }

  readonly tell = (event: Event | CommandEvent): void => {
    if (this.#file === undefined) return;
    const { type, ...rest } = event;
    try {
      writeSync(this.#file, `${JSON.stringify({ type, at: momentIn(this.#world), ...rest })}\n`);
    } catch {
      // Whoever followed has gone, or the disk is full: the run itself goes on.
      this.#close();
    }
  };

  end(exitCode: number | undefined): void {
    this.tell(exitCode === undefined ? { type: 'ended' } : { type: 'ended', exitCode });
    this.#close();
  }

  #close(): void {
    const file = this.#file;
    this.#file = undefined;
    if (file === undefined) return;
    try {
      closeSync(file);
    } catch {
      // It was closed for us.
    }
  }
}
