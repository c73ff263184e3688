import { describe, expect, it } from 'vitest';
import { exitCode, type Outcome } from '@platform-sync/cli/process/exit-code';

// From the gravest to the mildest; each one must win over all that follow.
const order: readonly (readonly [Outcome, number])[] = [
  [{ usage: true }, 64],
  [{ signal: 'SIGINT' }, 130],
  [{ errors: true }, 1],
  [{ partly: true }, 7],
  [{ stale: true }, 5],
  [{ blocked: true }, 4],
  [{ notCompared: true }, 3],
  [{ changes: true }, 2],
  [{}, 0],
];

describe('exitCode', () => {
  const pairs = order.flatMap(([outcome, code], at) =>
    order
      .slice(at)
      .map(([milder]) => [JSON.stringify(outcome), JSON.stringify(milder), { ...milder, ...outcome }, code] as const),
  );
  it.each(pairs)('%s wins over %s', (_a, _b, both, code) => {
    expect(exitCode(both)).toBe(code);
  });

  it('tells the signals apart', () => {
    expect(exitCode({ signal: 'SIGTERM', errors: true })).toBe(143);
  });
});
