import { expect, it } from 'vitest';
import type { ResourceType } from '@platform-sync/core/model/resource-type';
import { notLookedForNotices } from '@platform-sync/engine/plan/notices';
import type { Step } from '@platform-sync/engine/plan/step';
import { listed, planInput, recordOf } from './made-up-plan.js';
import { typeOf, types } from './made-up-types.js';
import { byAddress, step } from './worlds.js';

const book = typeOf('Book');
/** Lives on a shelf, and two may have one title. */
const leaflet: ResourceType = { ...book, unique: [] };
const of = (type: ResourceType, address: string, action: Step['action'], declared = {}): Step => ({
  ...step(address, action, { declared }),
  type,
});
const shelf = of(typeOf('Shelf'), 's', 'adopt', { name: 'A' });
const inside = { shelfId: 'found', title: 'A' };

function told(steps: readonly Step[], more: Parameters<typeof planInput>[0] = {}): readonly string[] {
  const input = { ...planInput(more), types: new Map([...types, [leaflet.token, leaflet]]) };
  return notLookedForNotices(input, byAddress(steps)).map(({ address, summary }) => `${address ?? ''}: ${summary}`);
}

it('what is made in an object that is taken over may be there already', () => {
  expect(told([shelf, ...['x', 'y', 'z'].map((at) => of(leaflet, at, 'create', inside))])).toEqual([
    's: x and 2 more would be created in s, which is adopted; they may exist there already.',
  ]);
  expect(told([shelf, of(leaflet, 'x', 'create', inside)])).toEqual([
    's: x would be created in s, which is adopted; they may exist there already.',
  ]);
});

it.each<[string, readonly Step[], Parameters<typeof planInput>[0]?]>([
  ['in an object that is managed', [{ ...shelf, action: 'none' }, of(leaflet, 'x', 'create', inside)]],
  ['in one that is made with it', [of(typeOf('Shelf'), 's', 'create'), of(leaflet, 'x', 'create', inside)]],
  ['in another one', [shelf, of(leaflet, 'x', 'create', { ...inside, shelfId: 'other' })]],
  ['of a type whose key is unique: it was looked for', [shelf, of(book, 'x', 'create', inside)]],
  ['of a type without a key: nothing tells', [shelf, of({ ...leaflet, naturalKey: [] }, 'x', 'create', inside)]],
  [
    'in place of what was recorded',
    [shelf, { ...of(leaflet, 'x', 'create', inside), recorded: recordOf('x', 'Book', {}) }],
  ],
  ['and is taken over, too', [shelf, of(leaflet, 'x', 'adopt', inside)]],
  [
    'where its list was read',
    [shelf, of(leaflet, 'x', 'create', inside)],
    { snapshot: { listed: [listed('Book', [], { scope: { shelfId: 'found' } })] } },
  ],
])('nothing is said of what is made %s', (_name, steps, more) => {
  expect(told(steps, more)).toEqual([]);
});
