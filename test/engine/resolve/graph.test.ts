import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { topologicalOrder } from '@platform-sync/core/model/graph';
import { dependencyGraph } from '@platform-sync/core/resolve/graph';
import { desiredOf } from '../catalogue/scratch-project.js';

describe('dependencyGraph', () => {
  it('finds needs in references, variables, lookups, parents and dependsOn', async () => {
    const desired = await desiredOf(`
variables:
  near: "\${a.slug}"
  far: {deep: ["\${near}", !json {x: "\${b.id}"}]}
  team: !lookup {function: platform:getTeam, arguments: {filter: {name: {eq: "\${c.name}"}}}}
resources:
  a: {type: platform:Api}
  b: {type: platform:Api}
  c: {type: platform:Api}
  d: {type: platform:Api, properties: {description: "\${far}\${near}"}, options: {dependsOn: [c]}}
  e: {type: platform:Api, properties: {labels: {team: "\${team.id}"}}}
  f: {type: platform:Api, properties: {description: !secret "\${b.id}", slug: {fn::join: ["\${c.slug}", ["\${a.slug}"]]}}}
  g:
    type: platform:Api
    children:
      h: {type: platform:ApiDocument, properties: {content: x}, children: {i: {type: platform:ApiDocument, properties: {content: "\${a.id}"}}}}
`);
    expect(Object.fromEntries(dependencyGraph(desired))).toEqual({
      a: [],
      b: [],
      c: [],
      d: ['a', 'b', 'c'],
      e: ['c'],
      f: ['a', 'b', 'c'],
      g: [],
      'g/h': ['g'],
      'g/h/i': ['a', 'g', 'g/h'],
    });
  });
});

describe('topologicalOrder', () => {
  const graph = (edges: Readonly<Record<string, readonly string[]>>): ReadonlyMap<string, readonly string[]> =>
    new Map(Object.entries(edges));

  it.each([
    ['nothing', {}, []],
    ['no needs: by address', { c: [], a: [], b: [] }, ['a', 'b', 'c']],
    ['needs first', { a: ['z'], z: [] }, ['z', 'a']],
    ['the smallest of the free first', { a: ['m'], b: [], m: [], z: [] }, ['b', 'm', 'a', 'z']],
    ['a diamond', { d: ['b', 'c'], b: ['a'], c: ['a'], a: [] }, ['a', 'b', 'c', 'd']],
    ['needs outside the graph', { a: ['elsewhere'] }, ['a']],
    ['rings and what follows them left out', { a: [], b: ['c'], c: ['b'], d: ['c'], e: ['a'] }, ['a', 'e']],
    ['code units, not locales', { B: [], a: [], 'a/b': [], 'a-b': [] }, ['B', 'a', 'a-b', 'a/b']],
  ])('%s', (_name, edges, order) => {
    expect(topologicalOrder(graph(edges))).toEqual(order);
  });

  it('does not depend on the order of the map', () => {
    const entries = Array.from({ length: 500 }, (_, i): [string, string[]] => [
      `r${String(i)}`,
      [i >> 1, i >> 2].filter((need) => need < i).map((need) => `r${String(need)}`),
    ]);
    const order = topologicalOrder(new Map(entries));
    expect(order).toHaveLength(500);
    const places = new Map(order.map((address, index) => [address, index]));
    for (const [address, needs] of entries) {
      for (const need of needs) expect(places.get(need)).toBeLessThan(places.get(address) ?? -1);
    }
    expect(topologicalOrder(new Map(entries.reverse()))).toEqual(order);
  });

  it('survives a chain of 100,000', () => {
    const chain = new Map(
      Array.from({ length: 100_000 }, (_, i) => [`r${String(i)}`, i === 0 ? [] : [`r${String(i - 1)}`]]),
    );
    expect(topologicalOrder(chain)).toHaveLength(100_000);
  });
});

describe('any graph', () => {
  const names = ['a', 'a/b', 'a/c', 'b', 'c', 'd'];
  const anyGraph = fc.dictionary(fc.constantFrom(...names), fc.subarray([...names, 'elsewhere']), { maxKeys: 6 });

  it('of what is free, the smallest comes first; rings and what follows them are left out', () => {
    fc.assert(
      fc.property(anyGraph, fc.boolean(), (needs, isSorted) => {
        const keys = isSorted ? Object.keys(needs).sort() : Object.keys(needs);
        const graph = new Map(keys.map((key) => [key, needs[key] ?? []]));
        const order: string[] = [];
        const isFree = (key: string): boolean =>
          !order.includes(key) && (graph.get(key) ?? []).every((need) => order.includes(need) || !graph.has(need));
        for (let next = keys.filter(isFree).sort()[0]; next !== undefined; next = keys.filter(isFree).sort()[0])
          order.push(next);
        expect(topologicalOrder(graph)).toEqual(order);
      }),
    );
  });
});
