import { describe, expect, it } from 'vitest';
import { collectionKey } from '@platform-sync/core/model/identity';
import type { ResourceType } from '@platform-sync/core/model/resource-type';
import type { Snapshot } from '@platform-sync/core/model/snapshot';
import type { RecordedResource } from '@platform-sync/core/model/state';
import { operationsOf, type Operation, type Step } from '@platform-sync/engine/plan/step';
import { carryDeletes } from '@platform-sync/engine/plan/removal';
import { orderOperations } from '@platform-sync/engine/plan/order';
import { byAddress, step, record, state, typeNamed } from './worlds.js';

/** A delete is left to the delete above it only where nothing but what the plan shows can end by that. */

const [api, document, product] = ['Api', 'ApiDocument', 'ApiProduct'].map(typeNamed);
const scope = { apiId: 'id of pets' };
const petsRecord = record('pets', { kind: 'Api' });
const pets = step('pets', 'delete', { kind: 'Api', recorded: petsRecord });

function page(address: string, action: Step['action'] = 'delete', needed: readonly string[] = []): Step {
  const identity = { id: `id of ${address}`, scope };
  const recorded = record(address, { kind: 'ApiDocument', identity, dependencies: ['pets', ...needed] });
  return step(address, action, { kind: 'ApiDocument', recorded });
}

function withOlder(one: Step): Step {
  const older = [{ identity: { id: 'older', scope } }] as unknown as RecordedResource['deposed'];
  return one.recorded === undefined ? one : { ...one, recorded: { ...one.recorded, deposed: older } };
}

const stranger = { identity: { id: 'by hand', scope }, values: {} };

function seen(more: Partial<Snapshot['listed'][number]> = {}): Pick<Snapshot, 'listed' | 'uncertain'> {
  return {
    listed: [{ type: document?.token ?? '', scope, under: 'pets', morePages: 0, objects: [], ...more }],
    uncertain: new Map(),
  };
}

type OtherTypes = Readonly<Record<string, Partial<ResourceType>>>;

function carried(
  steps: readonly Step[],
  snapshot = seen(),
  forgotten: readonly Step[] = [],
  otherwise: OtherTypes = {},
) {
  const ordered = orderOperations(byAddress(steps), new Map());
  const records = [...steps, ...forgotten].flatMap(({ recorded }) => recorded ?? []);
  const types = new Map(
    [api, document, product].flatMap((type) => (type ? [[type.token, { ...type, ...otherwise[type.name] }]] : [])),
  );
  const carrying = carryDeletes({
    steps: ordered.steps,
    state: state(records),
    snapshot: { readings: new Map(), found: new Map(), unmanaged: [], unread: [], ...snapshot },
    typeOf: (token) => types.get(token) ?? typeNamed('Api'),
  });
  return operationsOf(carrying);
}

const shape = (operations: readonly Operation[]) =>
  operations.map(({ id, carries = [], dependsOn }) => [id, carries.map((each) => each.id).sort(), dependsOn]);

/** Where; steps; what lists showed; what state holds and the plan leaves alone. */
type Row = [string, readonly Step[], ReturnType<typeof seen>?, (readonly Step[])?, OtherTypes?];

describe('deletes', () => {
  it('of all that is in an object are carried by its own, pages below pages, too', () => {
    const all = [pets, page('pets/a'), page('pets/b', 'delete', ['pets/a']), page('pets/c', 'delete', ['pets/b'])];
    expect(shape(carried(all))).toEqual([['pets delete', ['pets/a delete', 'pets/b delete', 'pets/c delete'], []]]);
  });

  it('in two objects are carried each by its own', () => {
    const there = { apiId: 'id of dogs' };
    const dogs = step('dogs', 'delete', { kind: 'Api', recorded: record('dogs', { kind: 'Api' }) });
    const identity = { id: 'id of dogs/a', scope: there };
    const inDogs = step('dogs/a', 'delete', {
      ...{ kind: 'ApiDocument', recorded: record('dogs/a', { kind: 'ApiDocument', identity, dependencies: ['dogs'] }) },
    });
    const [inPets, inOthers] = [seen(), seen({ scope: there, under: 'dogs' })];
    const lists = { ...inPets, listed: [...inPets.listed, ...inOthers.listed] };
    expect(shape(carried([pets, page('pets/a'), dogs, inDogs], lists))).toEqual([
      ['dogs delete', ['dogs/a delete'], []],
      ['pets delete', ['pets/a delete'], []],
    ]);
  });

  it('wait for what those that they carry waited for', () => {
    const other = step('other', 'delete', { recorded: record('other', { dependencies: ['pets/a'] }) });
    const waiting = step('early', 'update', { recorded: record('early', { dependencies: [] }) });
    expect(shape(carried([pets, page('pets/a'), waiting]))).toContainEqual(['pets delete', ['pets/a delete'], []]);
    expect(shape(carried([pets, page('pets/a'), other]))).toEqual([
      ['other delete', [], []],
      ['pets delete', ['pets/a delete'], ['other delete']],
    ]);
  });

  it.each<Row>([
    ['where what they live in stays', [page('pets/a')]],
    [
      'where it is replaced, and they with it',
      [{ ...pets, action: 'replace', order: 'create-first' }, page('pets/a', 'replace')],
    ],
    ['where something unmanaged was seen beside them', [pets, page('pets/a')], seen({ objects: [stranger] })],
    ['where pages of the list were not read', [pets, page('pets/a')], seen({ morePages: 1 })],
    ['where nothing was listed', [pets, page('pets/a')], { listed: [], uncertain: new Map() }],
    [
      'where the list was wrong about something',
      [pets, page('pets/a')],
      {
        ...seen(),
        uncertain: new Map([
          [
            document === undefined ? '' : collectionKey(document, scope),
            { severity: 'error', code: 'incomplete-list', summary: '' },
          ],
        ]),
      },
    ],
    ['where another one in it is let go', [pets, page('pets/a'), page('pets/b', 'forget')]],
    [
      'where state holds another one in it that is not part of the plan',
      [pets, page('pets/a')],
      seen(),
      [page('pets/b')],
    ],
    ['where an old object of one is still there', [pets, { ...page('pets/a'), deposedOf: 'pets/a' }]],
    ['where the platform does not delete them along', [pets, page('pets/a')], seen(), [], { Api: { cascades: [] } }],
    [
      'where they are never listed',
      [pets, page('pets/a')],
      seen(),
      [],
      { ApiDocument: { collection: { scope: ['apiId'], paged: true, listed: false } } },
    ],
    [
      'where their end is guarded',
      [pets, page('pets/a')],
      seen(),
      [],
      { ApiDocument: { guardedEnd: {} as unknown as NonNullable<ResourceType['guardedEnd']> } },
    ],
    ['where only another type was listed', [pets, page('pets/a')], seen({ type: product?.token ?? '' })],
    ['where only another place was listed', [pets, page('pets/a')], seen({ scope: { apiId: 'id of others' } })],
    [
      'where something was seen that lives nowhere',
      [pets, page('pets/a')],
      seen({ objects: [{ ...stranger, identity: { id: 'by hand', scope: {} } }] }),
    ],
    ['where one that is to end holds an older one', [pets, withOlder(page('pets/a'))]],
    ['where one is forced', [pets, { ...page('pets/a'), force: true }]],
  ])('are calls of their own %s', (_where, steps, snapshot = seen(), forgotten = [], otherwise = {}) => {
    expect(carried(steps, snapshot, forgotten, otherwise).filter(({ carries }) => carries !== undefined)).toEqual([]);
  });

  it('are carried whatever else was seen in other places', () => {
    const elsewhere = { ...stranger, identity: { id: 'by hand', scope: { apiId: 'id of others' } } };
    expect(shape(carried([pets, page('pets/a')], seen({ objects: [elsewhere] })))).toEqual([
      ['pets delete', ['pets/a delete'], []],
    ]);
  });

  it('wait for all, in order', () => {
    const needing = (address: string, needed: string): Step =>
      step(address, 'delete', { recorded: record(address, { dependencies: [needed] }) });
    const all = carried([pets, page('pets/a'), needing('z', 'pets'), needing('b', 'pets/a')]);
    expect(shape(all)).toContainEqual(['pets delete', ['pets/a delete'], ['b delete', 'z delete']]);
  });

  it('are calls of their own where something else waits for one of them', () => {
    const recorded = record('other', { dependencies: ['pets/a'] });
    const all = carried([
      pets,
      page('pets/a', 'delete', ['other']),
      page('pets/b'),
      step('other', 'delete', { recorded: { ...recorded, dependencies: [] } }),
    ]);
    expect(all.filter(({ carries }) => carries !== undefined)).toEqual([]);
    expect(all.map(({ id }) => id)).toContain('pets/a delete');
  });
});
