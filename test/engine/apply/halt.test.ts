import { describe, expect, it } from 'vitest';
import { Halt } from '@platform-sync/engine/apply/halt';
import type { Diagnostic } from '@platform-sync/core/model/diagnostic';
import type { LeaseTerm } from '@platform-sync/core/model/state-store';

/** Why a run starts nothing more, and what then becomes of the calls that are under way. */

const reason: readonly Diagnostic[] = [{ severity: 'error', code: 'gone', summary: 'It is gone.' }];
const haltOf = (given: Partial<ConstructorParameters<typeof Halt>[0]> = {}): Halt =>
  new Halt({ failFast: false, ...given });
const lease = () => ({ late: new AbortController(), over: new AbortController() });
const termOf = ({ late, over }: ReturnType<typeof lease>): LeaseTerm => ({
  ...{ mayWrite: () => !late.signal.aborted, lifeMs: 30_000, left: () => 30_000 },
  ...{ late: late.signal, over: over.signal },
});
const seen = (halt: Halt): readonly unknown[] => [
  ...[halt.isStopped, halt.isInterrupted, halt.because, halt.calls.aborted, halt.diagnostics.map(({ code }) => code)],
];
const going = [false, false, 'interrupted', false, []];

describe('a run goes on', () => {
  it('until somebody stops it: drained, its calls end by themselves; aborted, they are ended', () => {
    const [drain, signal] = [new AbortController(), new AbortController()];
    const halt = haltOf({ drain: drain.signal, signal: signal.signal });
    expect(seen(halt)).toEqual(going);
    drain.abort();
    expect(seen(halt)).toEqual([true, true, 'interrupted', false, []]);
    signal.abort();
    expect(seen(halt)).toEqual([true, true, 'interrupted', true, []]);
    expect(seen(haltOf({ signal: signal.signal }))).toEqual([true, true, 'interrupted', true, []]);
  });

  it('past a failed step, unless the first failure is to end it', () => {
    const [patient, fast] = [haltOf(), haltOf({ failFast: true })];
    for (const halt of [patient, fast]) {
      halt.stepFailed('a');
      halt.stepFailed('b');
    }
    expect(seen(patient)).toEqual(going);
    expect(seen(fast)).toEqual([true, false, 'a', false, []]);
  });

  it('until it has a reason of its own: the first one counts', () => {
    const halt = haltOf({ failFast: true });
    halt.stepFailed('a');
    halt.stop(reason);
    halt.stop([{ severity: 'error', code: 'later', summary: 'Later.' }]);
    expect(seen(halt)).toEqual([true, false, 'stopped', false, ['gone']]);
    halt.stopNow([]);
    expect(seen(halt)).toEqual([true, false, 'stopped', true, ['gone']]);
  });

  it('is ended by its own reason although the caller could end it, too', () => {
    const halt = haltOf({ signal: new AbortController().signal });
    halt.stopNow(reason);
    expect(halt.calls.aborted).toBe(true);
  });
});

describe('a lease that may be lost', () => {
  const hint = 'Run the command again: it first finds out what became of the calls that were under way.';

  it.each<[string, unknown, Partial<Diagnostic>]>([
    [
      'is late',
      'late',
      {
        code: 'lease-late',
        summary:
          'This run could not renew its lease in time (it stood still, or the state store does not answer), so another run may take over the stack. Nothing more is sent.',
      },
    ],
    [
      'was refused',
      'refused',
      {
        code: 'lease-refused',
        summary: 'The lease of this run was broken, or another run has the stack. Nothing more is sent.',
      },
    ],
  ])('since it %s lets nothing start, and lets calls end while it is still held', (_why, why, diagnostic) => {
    const [halt, term] = [haltOf(), lease()];
    halt.watch(termOf(term));
    expect(seen(halt)).toEqual(going);
    term.late.abort(why);
    expect(halt.diagnostics).toEqual([{ severity: 'error', hint, ...diagnostic }]);
    expect([halt.isStopped, halt.because, halt.calls.aborted]).toEqual([true, 'stopped', false]);
    term.over.abort();
    expect(halt.calls.aborted).toBe(true);
  });

  it('and is over before it is late ends everything', () => {
    const [halt, term] = [haltOf(), lease()];
    halt.watch(termOf(term));
    term.over.abort();
    expect([halt.isStopped, halt.calls.aborted, halt.diagnostics.map(({ code }) => code)]).toEqual([
      ...[true, true, ['lease-late']],
    ]);
  });

  it('that is over already when it is looked at ends everything at once', () => {
    const [halt, term] = [haltOf(), lease()];
    term.late.abort('refused');
    term.over.abort();
    halt.watch(termOf(term));
    expect([halt.calls.aborted, halt.diagnostics.map(({ code }) => code)]).toEqual([true, ['lease-refused']]);
  });
});
