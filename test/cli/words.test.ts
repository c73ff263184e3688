import { describe, expect, it } from 'vitest';
import { chooseStyle } from '@platform-sync/cli/terminal/colour';
import { lookupArguments } from '@platform-sync/cli/arguments/lookup-arguments';
import { parameterOptions } from '@platform-sync/cli/run/run-context';
import { durationMs } from '@platform-sync/cli/arguments/shared-flags';
import { UsageError } from '@platform-sync/cli/process/usage-error';
import { ansiStyle } from '@platform-sync/report/text/style';

describe('colour', () => {
  it.each([
    [true, {}, false, true],
    [false, {}, false, false],
    [true, {}, true, false],
    [true, { NO_COLOR: '1' }, false, false],
    [true, { NO_COLOR: '' }, false, true],
    [true, { TERM: 'dumb' }, false, false],
    [false, { FORCE_COLOR: '1' }, false, true],
    [true, { FORCE_COLOR: '0' }, false, false],
    [false, { FORCE_COLOR: '1', NO_COLOR: '1' }, false, false],
    [false, { FORCE_COLOR: '1' }, true, false],
  ])('terminal %s, env %j, --no-color %s → %s', (terminal, env, flag, colour) => {
    expect(chooseStyle(terminal, env, flag) === ansiStyle).toBe(colour);
  });
});

describe('values of parameters', () => {
  it('are what stands behind the first sign, and files of the folder', () => {
    const flags = { var: ['a=b=c', 'd='], 'var-file': ['x.yaml', '/y.yaml'] };
    expect(parameterOptions(flags, '/project')).toEqual({
      vars: { a: 'b=c', d: '' },
      varFiles: ['/project/x.yaml', '/y.yaml'],
    });
    expect(parameterOptions({ var: undefined, 'var-file': undefined }, '/project')).toEqual({});
  });

  it.each(['a', '=b'])('%j is refused, and not repeated', (text) => {
    expect(() => parameterOptions({ var: [text], 'var-file': undefined }, '/')).toThrow('--var takes NAME=VALUE');
  });
});

describe('durations', () => {
  it.each([
    ['30s', 30_000],
    ['5m', 300_000],
    ['1.5h', 5_400_000],
    ['250ms', 250],
    ['7', 7000],
  ])('%s', (text, ms) => {
    expect(durationMs(text, '--x')).toBe(ms);
  });

  it.each(['', 'soon', '-1s', '5 m', '1d'])('%j is refused', (text) => {
    expect(() => durationMs(text, '--x')).toThrow(UsageError);
  });
});

describe('lookup arguments', () => {
  it.each([
    [[], {}],
    [['{"a":{"b":1}}'], { a: { b: 1 } }],
    [['filter.name.eq=dev', 'filter.isPublic=true'], { filter: { name: { eq: 'dev' }, isPublic: true } }],
    [['name=a=b', 'sort='], { name: 'a=b', sort: '' }],
    [['n="12"', 'm=12'], { n: '12', m: 12 }],
    [['__proto__.x=1'], JSON.parse('{"__proto__":{"x":1}}')],
  ])('%j', (words, expected) => {
    expect(lookupArguments(words)).toEqual(expected);
  });

  it.each([[['name']], [['=x']], [['{"a":']], [['a=1', 'a=2']], [['a=1', 'a.b=2']]])('%j is refused', (words) => {
    expect(() => lookupArguments(words)).toThrow(UsageError);
  });
});
