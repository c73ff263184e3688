import fc from 'fast-check';
import { expect, it } from 'vitest';
import { MappedMap } from '@platform-sync/core/model/lazy-map';
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

it('mapped maps are the maps they are made of', () => {
  fc.assert(
    fc.property(maps, (map) => {
      const twice = new Map([...map].map(([key, value]) => [key, value * 2]));
      expectSame(new MappedMap(map, (value) => value * 2), twice);
    }),
    { numRuns: lawRuns(60) },
  );
});
