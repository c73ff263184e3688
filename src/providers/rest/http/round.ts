import type { Round } from '@platform-sync/core/model/fleet';
import { RequestGate } from './gate.js';
import type { HttpAnswer } from './exchange.js';

type GateOptions = ConstructorParameters<typeof RequestGate>[0];

/** What clients of one round share that ask one server with one token: another token's answer proves nothing. */
export interface SharedCalls {
  readonly gate: RequestGate;
  readonly answers: KeptAnswers;
}

const rounds = new WeakMap<Round, Map<string, SharedCalls>>();

/** `caller` names the server and whoever asks it. The first client of a caller says how fast all of them may ask. */
export function sharedCalls(round: Round, caller: string, gate: GateOptions): SharedCalls {
  const callers = rounds.get(round) ?? new Map<string, SharedCalls>();
  rounds.set(round, callers);
  const known = callers.get(caller) ?? { gate: new RequestGate(gate), answers: new KeptAnswers() };
  callers.set(caller, known);
  return known;
}

/** Characters of answers that are kept; the oldest go first. */
const room = 256 * 1024 * 1024;

/**
 * Answers that others of the round got to the same GET. A client takes each of them once: when it asks again it wants a second answer,
 * which is sent for, and is what others get from then on.
 */
class KeptAnswers {
  readonly #kept = new Map<string, Promise<HttpAnswer>>();
  #size = 0;

  /** `asked`: what this client has asked before; `send` asks the server. */
  async get(path: string, asked: Set<string>, send: () => Promise<HttpAnswer>): Promise<HttpAnswer> {
    let kept = asked.has(path) ? undefined : this.#kept.get(path);
    asked.add(path);
    while (kept !== undefined) {
      const before = await kept.catch(() => undefined);
      if (before?.status === 200) return before;
      // Of those who waited for it the first sends another.
      const next = this.#kept.get(path);
      kept = next === kept ? undefined : next;
    }
    const answer = send();
    this.#kept.set(path, answer);
    const forget = (): void => {
      if (this.#kept.get(path) === answer) this.#kept.delete(path);
    };
    answer.then(({ status, text }) => (status === 200 ? this.#grow(text.length) : forget()), forget);
    return answer;
  }

  #grow(by: number): void {
    this.#size += by;
    for (const [path, answer] of this.#kept) {
      if (this.#size <= room) return;
      this.#kept.delete(path);
      answer.then(
        ({ text }) => (this.#size -= text.length),
        () => undefined,
      );
    }
  }
}
