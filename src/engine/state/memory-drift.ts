import { defined } from '../model/defined.js';
import type { DriftHistory, DriftNote } from '../model/drift-history.js';
import type { NewsClaim, NumberedNews, TakenNews } from '../model/drift-news.js';
import { forgottenBefore, noted } from './drift-history.js';

interface Receiver {
  readonly told?: number;
  readonly teller?: { readonly by: string; readonly until: number };
}

/** What drift checks of one stack saw, and who was told of it. */
export class MemoryDrift {
  #history: DriftHistory = { findings: [] };
  #news: readonly NumberedNews[] = [];
  readonly #receivers = new Map<string, Receiver>();

  get history(): DriftHistory {
    return this.#history;
  }

  note(note: DriftNote): number | undefined {
    if (note.after !== undefined && note.after !== (this.#history.lastCheck?.number ?? 0)) return undefined;
    this.#history = noted(this.#history, note);
    const number = this.#history.lastCheck?.number ?? 0;
    const kept = this.#news.filter(({ check }) => check.checkedAt >= forgottenBefore(note.at));
    this.#news = note.news === undefined ? kept : [...kept, { ...note.news, number }];
    return number;
  }

  take({ receiver, by }: NewsClaim, now: number, forMs: number): TakenNews | undefined {
    const { told, teller } = this.#receivers.get(receiver) ?? {};
    if (teller !== undefined && teller.by !== by && teller.until > now) return undefined;
    const news = told === undefined ? [] : this.#news.filter(({ number }) => number > told);
    if (told !== undefined && news.length === 0) {
      this.#receivers.set(receiver, { told });
      return undefined;
    }
    this.#receivers.set(receiver, { ...defined({ told }), teller: { by, until: now + forMs } });
    return { isKnown: told !== undefined, news };
  }

  close({ receiver, by }: NewsClaim, told: number | undefined): void {
    const found = this.#receivers.get(receiver);
    if (found?.teller?.by !== by) return;
    if (told !== undefined) this.#receivers.set(receiver, { ...found, told });
    else this.#receivers.set(receiver, found.told === undefined ? {} : { told: found.told });
  }
}
