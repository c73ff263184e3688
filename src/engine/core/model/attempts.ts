/** How one attempt ended. `give` returns or throws what the call comes to when this was the last one. */
export type AttemptEnd<T> =
  | { readonly kind: 'final'; readonly give: () => T }
  /** The other side is to be asked later, and whoever lets attempts through holds the next one back: no wait here, no fault. */
  | { readonly kind: 'held' }
  /** A fault that may pass; the next attempt is worth so many milliseconds of waiting. */
  | { readonly kind: 'again'; readonly give: () => T; readonly ms: number; readonly why: string };

interface Attempts {
  /** Attempts at most, those aside that were held back. */
  readonly most: number;
  /** Whether a wait is within what the call may take. */
  readonly mayWait: (ms: number) => boolean;
  readonly wait: (ms: number, why: string) => Promise<void>;
}

/** The one loop of everything that is sent again. `attempt` is told which one it is and how many faults came before, from 1 and 0. */
export async function repeated<T>(
  { most, mayWait, wait }: Attempts,
  attempt: (nth: number, faults: number) => Promise<AttemptEnd<T>>,
): Promise<T> {
  let faults = 0;
  for (let nth = 1; ; nth += 1) {
    const end = await attempt(nth, faults);
    if (end.kind === 'final') return end.give();
    if (end.kind === 'held') continue;
    faults += 1;
    if (faults >= most || !mayWait(end.ms)) return end.give();
    await wait(end.ms, end.why);
  }
}
