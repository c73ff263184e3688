import { setMaxListeners } from 'node:events';
import { randomSource } from '../store/shuffle.js';
import type { FaultAction, FaultRule } from './fault-rule.js';
import { glob } from './glob.js';

interface LiveRule {
  readonly rule: FaultRule;
  readonly matchesRoute: (path: string) => boolean;
  readonly random: () => number;
  matched: number;
  struck: number;
}

interface FaultReport {
  readonly rule: FaultRule;
  readonly matched: number;
  readonly struck: number;
}

/** As many requests wait for it as are under way. */
function endOfWaits(): AbortController {
  const end = new AbortController();
  setMaxListeners(0, end.signal);
  return end;
}

/** The faults that control requests have set up. */
export class Faults {
  readonly #clock: () => number;
  readonly #lagging = new Map<string, number>();
  #rules: LiveRule[] = [];
  #end = endOfWaits();

  constructor(clock: () => number) {
    this.#clock = clock;
  }

  get any(): boolean {
    return this.#rules.length > 0;
  }

  /** Fires when these rules end: whatever they delay goes on then. */
  get end(): AbortSignal {
    return this.#end.signal;
  }

  set(rules: readonly FaultRule[]): void {
    this.#end.abort();
    this.#end = endOfWaits();
    this.#lagging.clear();
    this.#rules = rules.map((rule) => ({
      rule,
      matchesRoute: glob(rule.match?.route ?? '**'),
      random: randomSource(rule.seed ?? 1),
      matched: 0,
      struck: 0,
    }));
  }

  /** Actions of every rule that strikes at this request, in the order of the rules. Counts the request. */
  strike(method: string, route: string, path: string): readonly FaultAction[] {
    const actions: FaultAction[] = [];
    for (const live of this.#rules) {
      const { rule } = live;
      if (rule.match?.method !== undefined && rule.match.method.toUpperCase() !== method) continue;
      if (!live.matchesRoute(path) && !live.matchesRoute(route)) continue;
      live.matched += 1;
      if (!strikesNow(live)) continue;
      live.struck += 1;
      actions.push(rule.action);
    }
    return actions;
  }

  /** From now on what hangs below this path is forbidden for a while. */
  lag(path: string, ms: number): void {
    this.#lagging.set(path, this.#clock() + ms);
  }

  isLagging(path: string): boolean {
    if (this.#lagging.size === 0) return false;
    for (const [parent, until] of this.#lagging) {
      if (this.#clock() >= until) this.#lagging.delete(parent);
      else if (path.startsWith(`${parent}/`)) return true;
    }
    return false;
  }

  report(): readonly FaultReport[] {
    return this.#rules.map(({ rule, matched, struck }) => ({ rule, matched, struck }));
  }
}

function strikesNow({ rule, matched, struck, random }: LiveRule): boolean {
  if (rule.times !== undefined && struck >= rule.times) return false;
  if (rule.nth !== undefined) return matched === rule.nth;
  return rule.probability === undefined || random() < rule.probability;
}
