import fc from 'fast-check';
import { expect, it } from 'vitest';
import { KeyPlaces } from '../../src/engine/catalogue/build/defaults.js';
import { CompactMap } from '../../src/engine/model/compact-map.js';
import type { MapEntry } from '../../src/engine/model/expression.js';
import { MappedMap } from '../../src/engine/model/mapped-map.js';
import { lawRuns } from './runs.js';

const name = fc.constantFrom('a', 'b', 'c', '__proto__', 'constructor', '1', '');
const maps = fc.array(fc.tuple(name, fc.integer())).map((entries) => new Map(entries));

function expectSame(found: ReadonlyMap<string, number>, map: ReadonlyMap<string, number>): void {
  expect([found.size, ...found]).toEqual([map.size, ...map]);
  expect([[...found.keys()], [...found.values()]]).toEqual([[...map.keys()], [...map.values()]]);
  for (const key of ['a', 'b', 'c', '__proto__', 'constructor', '1', '', 'toString'])
    expect([found.has(key), found.get(key)]).toEqual([map.has(key), map.get(key)]);
  const seen: (readonly [string, number])[] = [];
  found.forEach((value, key) => seen.push([key, value]));
  expect(seen).toEqual([...map]);
}

it('compact and mapped maps are the maps they are made of', () => {
  fc.assert(
    fc.property(maps, (map) => {
      const twice = new Map([...map].map(([key, value]) => [key, value * 2]));
      expectSame(CompactMap.of(map), map);
      expectSame(CompactMap.of(CompactMap.of(map)), map);
      expectSame(
        CompactMap.of(map).with((value) => value * 2),
        twice,
      );
      expectSame(new MappedMap(map, (value) => value * 2), twice);
    }),
    { numRuns: lawRuns(60) },
  );
});

it('places of keys are those of the map, in quotes and from other files, too', () => {
  const range = fc.record({ file: fc.constantFrom('a.yaml', 'b.yaml'), start: fc.nat(9), end: fc.nat(9) });
  fc.assert(
    fc.property(fc.array(fc.tuple(name, range)), (given) => {
      const value = { kind: 'literal', value: null, at: { file: '', start: 0, end: 0 } } as const;
      const entries = new Map<string, MapEntry>(given.map(([key, at]) => [key, { key: at, value }]));
      const places = KeyPlaces.of(entries);
      for (const key of ['a', 'b', '__proto__', 'constructor', '1', 'toString']) {
        expect(places.get(key)).toEqual(entries.get(key)?.key);
        expect(places.has(key)).toBe(entries.has(key));
      }
    }),
    { numRuns: lawRuns(60) },
  );
});
