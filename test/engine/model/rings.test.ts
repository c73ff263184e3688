import { describe, expect, it } from 'vitest';
import { rings } from '@platform-sync/core/model/graph';

type Waits = Readonly<Record<string, readonly string[]>>;

const graph = (waits: Waits) => new Map(Object.entries(waits).map(([id, needed]) => [id, new Set(needed)]));
const ringsOf = (waits: Waits) => rings(graph(waits)).map((ring) => [...ring].sort());

describe('rings', () => {
  it.each<[string, Waits, readonly (readonly string[])[]]>([
    ['nothing', {}, []],
    ['a chain is none', { a: ['b'], b: ['c'], c: [] }, []],
    ['two that wait for each other', { a: ['b'], b: ['a'] }, [['a', 'b']]],
    ['who waits for a ring is in none', { a: ['b'], b: ['a'], c: ['a'] }, [['a', 'b']]],
    ['whom a ring waits for is in none', { a: ['b'], b: ['a', 'c'], c: [] }, [['a', 'b']]],
    ['two rings that share one are one', { a: ['b'], b: ['a', 'c'], c: ['b'] }, [['a', 'b', 'c']]],
  ])('%s', (_name, waits, expected) => {
    expect(ringsOf(waits)).toEqual(expected);
  });

  it('two rings one after the other are two', () => {
    const found = ringsOf({ a: ['b'], b: ['a', 'c'], c: ['d'], d: ['c'] });
    expect(found.map((ring) => ring.join('')).sort()).toEqual(['ab', 'cd']);
  });

  it('a long ring is found without a deep stack', () => {
    const size = 50_000;
    const waits = new Map(Array.from({ length: size }, (_, at) => [String(at), new Set([String((at + 1) % size)])]));
    expect(rings(waits).map((ring) => ring.size)).toEqual([size]);
  });
});
