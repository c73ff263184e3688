import { describe, expect, test } from 'vitest';
import { groups, onlyNamed, readOptions, UsageProblem, type BenchOptions } from '../../bench/options.js';

// Any file that exists will do: options are read without starting it.
const read = (...argv: readonly string[]): BenchOptions => readOptions(['--program', 'package.json', ...argv]);
const settings = (...argv: readonly string[]): readonly string[] =>
  read(...argv).settings.map(({ size, latencyMs, backend }) => `${size} ${latencyMs} ${backend}`);

describe('options of the bench', () => {
  test('leave the comparison out unless asked for', () => {
    expect([...read().groups]).toEqual(groups.filter((group) => !onlyNamed.has(group)));
    expect([...read('--against', 'terraform').groups]).toEqual(['terraform']);
    expect([...read('--against', 'terraform', '--only', 'file,start').groups]).toEqual(['start', 'file', 'terraform']);
    expect([...read('--only', 'all').groups]).toContain('terraform');
  });

  test('cover every size, latency and backend, each at least once', () => {
    const usual = read().settings;
    expect(new Set(usual.map(({ size }) => size))).toEqual(new Set([100, 1000, 10_000]));
    expect(new Set(usual.map(({ latencyMs }) => latencyMs))).toEqual(new Set([0, 20, 86]));
    expect(new Set(usual.map(({ backend }) => backend))).toEqual(new Set(['sqlite', 'postgres']));
    expect(read('--full').settings).toHaveLength(3 * 3 * 2);
  });

  test('combine what is named', () => {
    expect(settings('--sizes', '10,20', '--latency', '0,5')).toEqual([
      '10 0 sqlite',
      '20 0 sqlite',
      '10 5 sqlite',
      '20 5 sqlite',
    ]);
    expect(settings('--backend', 'postgres', '--sizes', '7')).toEqual(['7 0 postgres']);
  });

  test.each([
    [['--sizes', '10,abc'], '--sizes takes whole numbers'],
    [['--sizes', '0'], 'from 1'],
    [['--latency', '-5'], '--latency'],
    [['--runs', '1.5'], '--runs takes whole numbers'],
    [['--only', 'strat'], 'not strat'],
    [['--backend', 'mysql'], 'not mysql'],
    [['--against', 'tofu'], 'not tofu'],
    [['--program', 'no/such/file'], 'there is no'],
    [['--colour'], '--colour'],
    [['stray'], 'stray'],
  ])('refuse %j', (argv, words) => {
    const reading = (): unknown => read(...argv);
    expect(reading).toThrow(UsageProblem);
    expect(reading).toThrow(words);
  });
});
