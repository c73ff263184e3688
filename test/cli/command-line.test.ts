import { describe, expect, it } from 'vitest';
import { readCommandLine } from '@platform-sync/cli/arguments/command-line';

const ids = ['plan', 'apply', 'import', 'state:list', 'state:mv'];
const nothing = { id: undefined, rest: [], help: false, isLongHelp: false, version: false };

describe('readCommandLine', () => {
  it.each([
    ['', { ...nothing, help: true }],
    ['plan', { ...nothing, id: 'plan' }],
    ['plan --out p.json', { ...nothing, id: 'plan', rest: ['--out', 'p.json'] }],
    ['-C dir --stack=prod plan --out p', { ...nothing, id: 'plan', rest: ['-C', 'dir', '--stack=prod', '--out', 'p'] }],
    ['--var a=b --var-file=c plan', { ...nothing, id: 'plan', rest: ['--var', 'a=b', '--var-file=c'] }],
    [
      '--no-color --log-level debug apply x',
      { ...nothing, id: 'apply', rest: ['--no-color', '--log-level', 'debug', 'x'] },
    ],
    ['state list a', { ...nothing, id: 'state:list', rest: ['a'] }],
    ['state', { ...nothing, id: 'state' }],
    ['state lst', { ...nothing, id: 'state', rest: ['lst'] }],
    ['plam', { ...nothing, id: 'plam' }],
    ['plan --help', { ...nothing, id: 'plan', rest: ['--help'], help: true }],
    ['help plan', { ...nothing, id: 'plan', isLongHelp: true, help: true }],
    ['help state mv', { ...nothing, id: 'state:mv', isLongHelp: true, help: true }],
    ['--help', { ...nothing, rest: ['--help'], help: true }],
    ['import a -- --help', { ...nothing, id: 'import', rest: ['a', '--', '--help'] }],
    ['-C dir import -- --x', { ...nothing, id: 'import', rest: ['-C', 'dir', '--', '--x'] }],
    ['--format json plan', { ...nothing, id: 'plan', rest: ['--format', 'json'] }],
    ['--version', { ...nothing, rest: ['--version'], version: true }],
    ['--nope', { ...nothing, rest: ['--nope'] }],
  ])('sync %s', (line, expected) => {
    expect(readCommandLine(line === '' ? [] : line.split(' '), ids)).toEqual(expected);
  });
});
