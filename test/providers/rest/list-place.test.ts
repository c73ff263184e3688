import { expect, it } from 'vitest';
import type { TypeDefinition } from '../../../src/kit/index.js';
import { style } from '../../../src/providers/platform/style.js';
import { linked } from '../../../src/providers/rest/definition-source.js';

/** A type whose objects lie in `above`, a path with the ids of `parents`. */
function typeAt(
  name: string,
  path: `/${string}`,
  parents: Readonly<Record<string, string>>,
  list = path,
): TypeDefinition {
  const item = `${path}/{id}` as const;
  const nested = Object.entries(parents).map(([field, references]) => [
    field,
    { kind: 'id' as const, description: 'Where it lives.', replaces: true as const, references, nests: true },
  ]);
  return {
    name,
    description: 'A thing.',
    operations: { create: `POST ${path}`, read: `GET ${item}`, delete: `DELETE ${item}` },
    list: { get: list },
    naturalKey: ['name'],
    required: [...Object.keys(parents), 'name'],
    fields: { ...Object.fromEntries(nested), name: { description: 'Name.', replaces: true } },
  };
}

const top = (name: string): TypeDefinition => typeAt(name, `/v1/${name.toLowerCase()}s`, {});
const [room, lamp] = [top('Room'), top('Lamp')];

it.each<[string, TypeDefinition[]]>([
  ['in nothing', [room]],
  ['in a parent', [room, typeAt('Desk', '/v1/rooms/{roomId}/desks', { roomId: 'Room' })]],
  [
    'in a parent and what that lives in',
    [
      room,
      typeAt('Desk', '/v1/rooms/{roomId}/desks', { roomId: 'Room' }),
      typeAt('Drawer', '/v1/rooms/{roomId}/desks/{deskId}/drawers', { roomId: 'Room', deskId: 'Desk' }),
    ],
  ],
  [
    'in two, with one list for all',
    [
      room,
      lamp,
      typeAt('Plug', '/v1/rooms/{roomId}/lamps/{lampId}/plugs', { roomId: 'Room', lampId: 'Lamp' }, '/v1/plugs'),
    ],
  ],
])('a list may lie %s', (_where, definitions) => {
  expect(linked(definitions, style)).toHaveLength(definitions.length);
});

it('a list may lie in two parents that do not live in each other: whoever declares both finds it', () => {
  const plug = typeAt('Plug', '/v1/rooms/{roomId}/lamps/{lampId}/plugs', { roomId: 'Room', lampId: 'Lamp' });
  expect(linked([room, lamp, plug], style)).toHaveLength(3);
});

it('a list in what no field says is refused in a sentence that names it', () => {
  const stray = typeAt('Plug', '/v1/plugs', {}, '/v1/zones/{zone}/plugs');
  expect(() => linked([stray], style)).toThrow(/^Plug: its list lies in "zone", and it has no field of that name/);
});
