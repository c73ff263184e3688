import { describe, expect, it } from 'vitest';
import { canonicalJson } from '@platform-sync/core/model/canonical';
import { collectionKey } from '@platform-sync/core/model/identity';
import type { PlanStep } from '@platform-sync/core/model/plan';
import type { Json, JsonObject } from '@platform-sync/core/model/value';
import { makePlan, summaryOf } from '@platform-sync/engine/plan/plan';
import { digestOf, parsePlan, serializePlan } from '@platform-sync/engine/plan/saved-plan';
import {
  failedReading,
  foundObject,
  listed,
  needs,
  planInput,
  planOf,
  planned,
  readingOf,
  recordOf,
  refused,
  remoteObject,
  seals,
  stepOf,
  steps,
  type World,
} from './made-up-plan.js';
import { typeOf } from './made-up-types.js';

const shelf = (properties: JsonObject, options = {}) => ({ properties, options });
const card = (properties: JsonObject, options = {}) => ({ type: 'Card', properties, options });
const token = (name: string): string => typeOf(name).token;
const a = recordOf('a', 'Shelf', { name: 'A', note: 'n' });

describe('a plan', () => {
  const world: World = {
    wanted: { a: shelf({ name: 'A', note: 'm' }), c: card({ name: 'c', shelf: '${a.id}' }), same: card({ name: 's' }) },
    records: [a, recordOf('same', 'Card', { name: 's' })],
    outputs: { shelf: '${a.id}', empty: null },
    state: { outputs: { old: 'x' } },
    more: { targets: { library: 'http://here' } },
  };

  it('says all that it is bound to, and what it does', () => {
    const plan = planOf(world);
    expect(plan).toEqual({
      ...{ formatVersion: 1, engine: '1.0.0', mode: 'apply', project: 'library', stack: 'dev' },
      ...{ targets: { library: 'http://here' }, catalogueDigest: 'digest', lineage: 'lineage', serial: 7 },
      steps: [
        {
          ...{ address: 'a', type: token('Shelf'), action: 'update', cause: 'config', id: 'id-a' },
          fields: [{ field: 'note', rule: 'update', cause: 'config', old: 'n', new: 'm' }],
          patch: [{ op: 'replace', path: '/note', value: 'm' }],
          ...{ reasons: [{ kind: 'field-changed', field: 'note' }], risks: [], dependsOn: [] },
          precondition: { exists: true, identity: { id: 'id-a', scope: {} }, digest: expect.any(String) as string },
          effectDigest: expect.any(String) as string,
        },
        {
          ...{ address: 'c', type: token('Card'), action: 'create' },
          fields: [
            { field: 'name', rule: 'update', cause: 'config', new: 'c' },
            { field: 'shelf', rule: 'update', cause: 'config', new: 'id-a' },
          ],
          patch: [
            { op: 'add', path: '/name', value: 'c' },
            { op: 'add', path: '/shelf', value: 'id-a' },
          ],
          ...{ reasons: [{ kind: 'not-in-state' }], risks: [], dependsOn: ['a'], precondition: { exists: false } },
          effectDigest: expect.any(String) as string,
        },
      ],
      outputs: [
        { name: 'old', old: 'x' },
        { name: 'shelf', new: 'id-a' },
      ],
      summary: { create: 1, update: 1, replace: 0, delete: 0, forget: 0, adopt: 0, move: 0, unchanged: 1 },
      ...{ guards: [], notCompared: [], unmanaged: [], undeclaredChanges: [], notices: [], lookups: {} },
      ...{ effectDigest: expect.any(String) as string, digest: expect.any(String) as string },
      meta: {
        ...{ createdAt: '2026-06-01T12:00:00.000Z', host: 'here', requests: 3 },
        sources: { a: 'catalogue/all.yaml:1:1', c: 'catalogue/all.yaml:1:1' },
        fieldSources: {
          a: { note: 'catalogue/all.yaml:2:1' },
          c: { name: 'catalogue/all.yaml:2:1', shelf: 'catalogue/all.yaml:2:1' },
        },
      },
    });
  });

  it('of a part says so, and changes no outputs', () => {
    const plan = planOf({ ...world, more: { only: ['c', 'a'], excludes: ['z', 'y'] } });
    expect(plan.partial).toEqual({ targets: ['a', 'c'], excludes: ['y', 'z'] });
    expect(plan.outputs).toEqual([]);
    expect(planOf({ ...world, more: { excludes: ['c'] } }).partial).toEqual({ targets: [], excludes: ['c'] });
    expect(steps({ ...world, more: { excludes: ['c'] } })).toEqual(['update a']);
  });

  it('to adopt makes nothing, changes nothing and writes no outputs', () => {
    const adopting: World = { ...world, mode: 'adopt', found: { c: { kind: 'gone' } } };
    expect(steps(adopting)).toEqual([]);
    expect(planOf(adopting).outputs).toEqual([]);
    const found = { c: foundObject('x', { name: 'other' }) };
    expect(stepOf({ ...adopting, found }, 'c')).toMatchObject({ action: 'adopt', id: 'x', fields: [], patch: [] });
  });

  it('to destroy ends everything and says nothing of outputs', () => {
    const plan = planOf({ ...world, mode: 'destroy' });
    expect(plan.steps.map(({ action, address }) => `${action} ${address}`)).toEqual(['delete a', 'delete same']);
    expect(plan.outputs).toEqual([]);
  });

  it('is the same for the same input, whatever the hour', () => {
    const later = planOf({
      ...world,
      more: { ...world.more, meta: { createdAt: '2027-01-01T00:00:00Z', host: 'there', requests: 9 } },
    });
    expect(later.digest).toBe(planOf(world).digest);
    expect(later.meta).not.toEqual(planOf(world).meta);
    expect(planOf({ ...world, state: { serial: 8 } }).digest).not.toBe(later.digest);
  });
});

describe('outputs', () => {
  const outputs = (wanted: JsonObject, recorded: JsonObject): readonly object[] =>
    planOf({ outputs: wanted, state: { outputs: recorded } }).outputs.map((one) => one);
  it.each<[string, JsonObject, JsonObject, readonly object[]]>([
    ['none', {}, {}, []],
    ['the same', { x: 'a' }, { x: 'a' }, []],
    ['another', { x: 'b' }, { x: 'a' }, [{ name: 'x', old: 'a', new: 'b' }]],
    [
      'new and gone, by name',
      { z: 'a', y: 'a' },
      { b: 'a' },
      [
        { name: 'b', old: 'a' },
        { name: 'y', new: 'a' },
        { name: 'z', new: 'a' },
      ],
    ],
    ['null is none', { x: null }, {}, []],
    ['null takes it away', { x: null }, { x: 'a' }, [{ name: 'x', old: 'a' }]],
    [
      'a secret is sealed',
      { x: 'secret:KEY:hush' },
      {},
      [
        {
          name: 'x',
          new: {
            $secret: {
              expression: '!env KEY',
              fingerprint: seals.fingerprint(['digest', 'outputs', 'x', seals.fingerprint('hush')]),
            },
          },
        },
      ],
    ],
  ])('%s', (_name, wanted, recorded, expected) => {
    expect(outputs(wanted, recorded)).toEqual(expected);
  });

  it('of what is only known later say so', () => {
    const plan = planOf({ wanted: { c: card({ name: 'c' }) }, outputs: { x: '${c.id}' } });
    expect(plan.outputs).toEqual([{ name: 'x', new: { $unknown: ['c.id'] } }]);
  });
});

describe('the count of steps', () => {
  it('has every action, and changes of options only where there are any', () => {
    const actions: readonly PlanStep['action'][] = [
      'create',
      'update',
      'update',
      'replace',
      'delete',
      'forget',
      'adopt',
      'move',
    ];
    const of = (all: readonly PlanStep['action'][]) =>
      summaryOf(
        all.map((action) => ({ action }) as PlanStep),
        4,
      );
    const counts = { create: 1, update: 2, replace: 1, delete: 1, forget: 1, adopt: 1, move: 1, unchanged: 4 };
    expect(of(actions)).toEqual(counts);
    expect(of([...actions, 'options', 'options'])).toEqual({ ...counts, options: 2 });
  });
});

describe('what was not compared', () => {
  it('is listed by address, with what was said of it, and is no change', () => {
    const diagnostic = { severity: 'error', code: 'c', summary: 's' } as const;
    const world: World = {
      wanted: { b: shelf({ name: 'B' }), a: shelf({ name: 'A', note: 'n' }) },
      ...{ records: [a], readings: { a: failedReading('down') }, found: { b: failedReading('lost') } },
      snapshot: { unread: [{ type: token('Card'), diagnostic }] },
    };
    const plan = planOf(world);
    expect(plan.steps).toEqual([]);
    expect(plan.notCompared).toEqual([
      { type: token('Card'), diagnostic },
      { address: 'a', type: token('Shelf'), diagnostic: { severity: 'error', code: 'down', summary: 'down.' } },
      { address: 'b', type: token('Shelf'), diagnostic: { severity: 'error', code: 'lost', summary: 'lost.' } },
    ]);
  });

  it('holds back what would be made in it, and says why', () => {
    const uncertain = new Map([
      [
        collectionKey(typeOf('Book'), { shelfId: 'id-a' }),
        { severity: 'error', code: 'c', summary: 'Broken list.' } as const,
      ],
    ]);
    const book = (id: string, title: string) => ({ type: 'Book', properties: { shelfId: id, title } });
    const world: World = {
      wanted: { a: shelf({ name: 'A', note: 'n' }), 'a/b': book('${a.id}', 'T'), x: book('elsewhere', 'T') },
      ...{ records: [a], found: { x: { kind: 'gone' }, 'a/b': { kind: 'gone' } }, snapshot: { uncertain } },
    };
    expect(steps(world)).toEqual(['create x']);
    expect(planOf(world).notCompared).toEqual([
      {
        ...{ address: 'a/b', type: token('Book') },
        diagnostic: {
          ...{
            severity: 'error',
            code: 'held-back',
            summary: 'a/b is not created: it is not known whether it exists.',
          },
          detail: 'Broken list.',
        },
      },
    ]);
    // In what is new, nothing can exist yet.
    const fresh: World = { ...world, records: [], found: { ...world.found, a: { kind: 'gone' } } };
    expect(steps(fresh)).toEqual(['create a', 'create a/b', 'create x']);
  });

  it('is told of what waits for something held back', () => {
    const world: World = {
      wanted: { s: shelf({ name: 'S' }), c: card({ name: 'c', shelf: '${s.id}' }) },
      found: { s: failedReading() },
    };
    expect(planOf(world).notCompared[0]).toEqual({
      ...{ address: 'c', type: token('Card') },
      diagnostic: {
        severity: 'error',
        code: 'held-back',
        summary: 'c is not created: it is not known whether it exists.',
      },
    });
  });
});

describe('changes of what nobody declares', () => {
  it('are told by address and field, and not acted on', () => {
    const b = recordOf('b', 'Shelf', { name: 'B' }, { outputs: { name: 'B', note: 'x', mode: 'open' } });
    const world: World = {
      wanted: { b: shelf({ name: 'B' }), a: shelf({ name: 'A', note: 'n' }) },
      records: [{ ...a, outputs: { ...a.outputs, owner: null } }, b],
      readings: { b: readingOf(b, { note: null, mode: 'hidden' }), a: readingOf(a, { owner: 'me' }) },
    };
    expect(planOf(world).undeclaredChanges).toEqual([
      { address: 'a', field: 'owner', new: 'me' },
      { address: 'b', field: 'mode', old: 'open', new: 'hidden' },
      { address: 'b', field: 'note', old: 'x' },
    ]);
    expect(steps(world)).toEqual([]);
  });
});

describe('what nobody manages', () => {
  const unmanaged = [
    { type: token('Shelf'), count: 2 },
    { type: token('Book'), under: 'old', count: 1 },
    { type: token('Card'), count: 1 },
  ];
  const old = recordOf('old', 'Shelf', { name: 'S' });
  const world: World = {
    wanted: {
      fresh: shelf({ name: 'S' }, { aliases: ['old'] }),
      n: shelf({ name: 'N' }),
      'fresh/b': { type: 'Book', properties: { shelfId: '${fresh.id}', title: 'T' } },
    },
    records: [old],
    found: { n: foundObject('n', { name: 'N' }), 'fresh/b': foundObject('b', { title: 'T' }, { shelfId: 'id-old' }) },
    snapshot: { unmanaged },
  };
  it('is less what the plan takes over, at the addresses of today', () => {
    expect(planOf(world).unmanaged).toEqual([
      { type: token('Shelf'), count: 1 },
      { type: token('Card'), count: 1 },
    ]);
    expect(planOf({ ...world, found: { n: { kind: 'gone' }, 'fresh/b': { kind: 'gone' } } }).unmanaged).toEqual([
      { type: token('Shelf'), count: 2 },
      { type: token('Book'), under: 'fresh', count: 1 },
      { type: token('Card'), count: 1 },
    ]);
  });

  it('and goes along when that ends which it lives in', () => {
    const note = 'library:index/note:Note';
    const ends: World = {
      records: [old],
      snapshot: {
        unmanaged: [
          { type: note, under: 'old', count: 3 },
          { type: token('Book'), under: 'old', count: 1 },
          { type: note, under: 'other', count: 7 },
          { type: note, count: 9 },
        ],
      },
    };
    expect(stepOf(ends, 'old').risks).toEqual([{ kind: 'deletes' }, { kind: 'cascades', what: '3 unmanaged Note' }]);
  });
});

describe('what retainOnDelete was to keep', () => {
  const s = recordOf('s', 'Shelf', { name: 'S' });
  const keep = { retainOnDelete: true, dependencies: ['s'] };
  const book = (title: string, more = keep) => recordOf(`s/${title}`, 'Book', { shelfId: 'id-s', title }, more);
  it('ends with what it lives in, and the plan says so', () => {
    const world: World = { records: [s, book('b'), book('c'), book('d', { ...keep, retainOnDelete: false })] };
    expect(steps(world)).toContain('forget s/b');
    expect(stepOf(world, 's').risks).toEqual([
      { kind: 'deletes' },
      { kind: 'cascades', what: 's/b, which retainOnDelete was to keep' },
      { kind: 'cascades', what: 's/c, which retainOnDelete was to keep' },
    ]);
  });
  it('stays where that stays, and is nothing where it is gone', () => {
    const kept = { s: shelf({ name: 'T' }) };
    expect(stepOf({ wanted: kept, records: [s, book('b')] }, 's').risks).toEqual([]);
    const gone: World = { records: [s, book('b')], readings: { 's/b': { kind: 'gone' } } };
    expect(stepOf(gone, 's').risks).toEqual([{ kind: 'deletes' }]);
    const elsewhere: World = { records: [s, book('b'), recordOf('t', 'Shelf', { name: 'T' })] };
    expect(stepOf(elsewhere, 't').risks).toEqual([{ kind: 'deletes' }]);
  });
});

describe('taking over by key', () => {
  const wanted = {
    s: shelf({ name: 'S' }),
    's/b': { type: 'Book', properties: { shelfId: '${s.id}', title: 'T' } },
    's/c': { type: 'Book', properties: { shelfId: '${s.id}', title: 'U' } },
    t: shelf({ name: 'T' }),
  };
  const found = {
    s: foundObject('1', { name: 'S' }),
    's/b': foundObject('2', { title: 'T' }, { shelfId: '1' }),
    's/c': foundObject('3', { title: 'U' }, { shelfId: '1' }),
    t: foundObject('4', { name: 'T' }),
  };
  it('asks once for each tree', () => {
    expect(planOf({ wanted, found }).guards).toEqual([
      {
        name: 'adopt:s',
        summary: 's has the key of the object 1, which nobody manages: it would be taken over, with 2 objects in it',
        addresses: ['s', 's/b', 's/c'],
      },
      {
        name: 'adopt:t',
        summary: 't has the key of the object 4, which nobody manages: it would be taken over',
        addresses: ['t'],
      },
    ]);
    const { 's/c': _c, t: _t, ...less } = found;
    const one = planOf({ wanted: { s: wanted.s, 's/b': wanted['s/b'] }, found: less });
    expect(one.guards[0]?.summary).toMatch(/, with 1 object in it$/);
  });
  it('is let go all at once, and then told at once', () => {
    const allow = [{ guard: 'adopt', reason: 'ours' }];
    expect(planOf({ wanted, found, more: { allow } }).guards).toEqual([
      {
        name: 'adopt',
        summary: '4 objects that nobody manages, taken over by key',
        addresses: ['s', 's/b', 's/c', 't'],
        lifted: 'ours',
      },
    ]);
    expect(planOf({ wanted: { t: wanted.t }, found: { t: found.t }, more: { allow } }).guards[0]?.summary).toMatch(
      /^1 object that/,
    );
  });
  it('is no question where the file says which object', () => {
    expect(planOf({ wanted: { t: shelf({ name: 'T' }, { import: '4' }) }, found: { t: found.t } }).guards).toEqual([]);
    expect(stepOf({ wanted: { t: wanted.t }, found: { t: found.t } }, 't').reasons).toEqual([
      { kind: 'key-exists', id: '4' },
    ]);
  });
});

describe('notices', () => {
  const codes = (world: World): readonly string[] => planOf(world).notices.map(({ code }) => code);

  it('of a field that stays because nothing can clear it', () => {
    const record = recordOf('a', 'Shelf', { name: 'A', blueprint: 'x' });
    expect(planOf({ wanted: { a: shelf({ name: 'A' }) }, records: [record] }).notices).toEqual([
      {
        ...{ severity: 'warning', code: 'cannot-clear', address: 'a', field: 'blueprint' },
        summary:
          "a: blueprint was taken out of the catalogue, but the platform can't put it back to a default; it stays as it is.",
        hint: 'From now on blueprint is not managed. To change it, declare it again.',
      },
    ]);
    expect(stepOf({ wanted: { a: shelf({ name: 'A' }) }, records: [record] }, 'a').patch).toEqual([]);
  });

  it('of keys that are exchanged in a way nobody can step aside from: there is no plan', () => {
    const page = (number: number) => recordOf(`p${number}`, 'Page', { shelfId: 's', bookId: 'b', number });
    const want = (number: number) => ({ type: 'Page', properties: { shelfId: 's', bookId: 'b', number } });
    const problems = refused({ wanted: { p1: want(2), p2: want(1) }, records: [page(1), page(2)] });
    expect(problems.map(({ code, address }) => [code, address])).toEqual([
      ['key-exchange', 'p1'],
      ['key-exchange', 'p2'],
    ]);
  });

  it('of a new object beside one of the same name', () => {
    const left = planOf({ wanted: { c: card({ name: 'c' }) }, records: [recordOf('d', 'Card', { name: 'c' })] });
    expect(left.notices).toEqual([
      {
        ...{
          severity: 'warning',
          code: 'same-name',
          address: 'c',
          hint: 'If c is d under a new key, say so in its options, and it is kept: aliases: [d]',
        },
        summary:
          'd is deleted and c is created, and both have the same name: for this type that does not prove that they are one object.',
      },
    ]);
    const stranger = listed('Card', [remoteObject('x', { name: 'c' })]);
    expect(
      planOf({ wanted: { c: card({ name: 'c' }) }, snapshot: { listed: [stranger] } }).notices.slice(0, 1),
    ).toEqual([
      {
        ...{
          severity: 'warning',
          code: 'same-name',
          address: 'c',
          hint: 'If it is the one that is meant, take it over: sync adopt c x',
        },
        summary:
          'c is created beside the object x, which nobody manages: both have the same name, and the platform allows that.',
      },
    ]);
  });

  it('of a new object without a name, beside one that has all that it says', () => {
    const wanted = { c: card({ text: 'x' }) };
    const snapshot = { listed: [listed('Card', [remoteObject('x', { text: 'x', shelf: 's' })])] };
    const { notices, guards } = planOf({ wanted, snapshot });
    const told = [...notices, ...guards].map(({ summary }) => summary).filter((summary) => summary.includes('beside'));
    expect(told).toEqual([
      'c is created beside the object x, which nobody manages: both have the same contents, and the platform allows that.',
      'c would be created beside the object x, of which this stack has no record: both have the same contents, and the platform allows that; if it is the one that is meant, take it over: sync adopt c x',
    ]);
  });

  it.each<[string, World]>([
    ['another name', { wanted: { c: card({ name: 'c' }) }, records: [recordOf('d', 'Card', { name: 'd' })] }],
    [
      'one that stays',
      { wanted: { c: card({ name: 'c' }), d: card({ name: 'c' }) }, records: [recordOf('d', 'Card', { name: 'c' })] },
    ],
    [
      'one that was retained',
      { wanted: { c: card({ name: 'c' }) }, records: [recordOf('d', 'Card', { name: 'c' }, { retainOnDelete: true })] },
    ],
    [
      'a type whose key is unique',
      {
        wanted: { c: shelf({ name: 'c' }) },
        found: { c: { kind: 'gone' } },
        snapshot: { listed: [listed('Shelf', [remoteObject('x', { name: 'c' })])] },
      },
    ],
    [
      'one that comes back, and that nobody else has the name of',
      {
        wanted: { c: card({ name: 'c' }) },
        records: [recordOf('c', 'Card', { name: 'c' })],
        readings: { c: { kind: 'gone' } },
        snapshot: { listed: [listed('Card', [remoteObject('x', { name: 'd' })])] },
      },
    ],
    [
      'no name, and something else in it',
      {
        wanted: { c: card({ text: 'x' }) },
        snapshot: { listed: [listed('Card', [remoteObject('x', { text: 'y' })])] },
      },
    ],
    [
      'no name, where the other has one',
      {
        wanted: { c: card({ text: 'x' }) },
        snapshot: { listed: [listed('Card', [remoteObject('x', { name: 'c', text: 'x' })])] },
      },
    ],
  ])('not of %s', (_name, world) => {
    expect(codes(world).filter((code) => code !== 'no-record')).toEqual([]);
  });

  it('of a stack that nothing is recorded for, and how much of it exists', () => {
    const fresh = planOf({ wanted: { c: card({ name: 'c' }), d: shelf({ name: 'd' }) } });
    expect(fresh.notices).toMatchObject([{ severity: 'info', code: 'no-record' }]);
    expect(fresh.notices[0]?.hint).toMatch(/take them over first: sync adopt$/);
    expect(planOf({ wanted: {} }).notices).toEqual([]);
    expect(planOf({ wanted: { c: card({ name: 'c' }) }, records: [recordOf('c', 'Card', {})] }).notices).toEqual([]);
  });

  it('of a stack without a record of what it made', () => {
    const keyed: World = { wanted: {}, more: { adopt: 'byKey' } };
    expect(planOf(keyed).notices).toEqual([
      {
        ...{ severity: 'info', code: 'no-record', hint: 'Keep the state between runs to have them deleted.' },
        summary: 'Nothing is recorded for this stack, so objects that left the catalogue are not known and stay.',
      },
    ]);
    expect(planOf({ ...keyed, mode: 'destroy' }).notices).toMatchObject([
      {
        severity: 'warning',
        summary: 'Nothing is recorded for this stack, so nothing is deleted: only recorded objects are deleted.',
      },
    ]);
    expect(codes({ ...keyed, records: [a], wanted: { a: shelf({ name: 'A', note: 'n' }) } })).toEqual([]);
    expect(codes({ wanted: {} })).toEqual([]);
  });
});

describe('lookups', () => {
  const wanted = { c: card({ name: 'c', text: 'lookup:library:getTeam:red' }) };
  const call = 'library {"of":"getTeam"}';
  const result = { id: 'team-1' };

  it('are asked for, and then stand in the plan by the digest of what they gave', () => {
    expect(needs({ wanted }).lookups).toMatchObject([
      { key: call, call: { token: 'library', args: { of: 'getTeam' } } },
    ]);
    const world: World = { wanted, more: { lookups: new Map([[call, result]]) } };
    expect(stepOf(world, 'c').fields[1]).toMatchObject({ field: 'text', new: 'team-1' });
    const { lookups } = planOf(world);
    expect(Object.keys(lookups)).toEqual([call]);
    expect(lookups[call]).toMatch(/^[0-9a-f]{64}$/);
  });

  it('stand in the plan by their names, whatever asked for them first', () => {
    const two = { c: card({ name: 'c', text: 'lookup:z:red' }), d: card({ name: 'd', text: 'lookup:b:red' }) };
    const answers = new Map(needs({ wanted: two }).lookups.map(({ key }) => [key, result]));
    expect(Object.keys(planOf({ wanted: two, more: { lookups: answers } }).lookups)).toEqual([
      'b {"of":"red"}',
      'z {"of":"red"}',
    ]);
  });

  it('with a secret argument stand there sealed, and by a keyed digest', () => {
    const secret = { c: card({ name: 'c', text: 'lookup:library:secret' }) };
    const { key } = needs({ wanted: secret }).lookups[0] ?? { key: '' };
    const { lookups } = planOf({ wanted: secret, more: { lookups: new Map([[key, result]]) } });
    const [[name, digest] = ['', '']] = Object.entries(lookups);
    expect(name).toContain('"$secret"');
    expect(name).not.toBe(key);
    expect(digest).toBe(seals.fingerprint(['digest', 'lookups', 'library:secret', name, result]).replace(/^.*:/, ''));
  });
});

describe('a selection that cuts a move', () => {
  const world: World = { wanted: { b: shelf({ name: 'A', note: 'n' }) }, records: [a], more: { only: ['b'] } };
  it('is refused, unless both ends were said', () => {
    expect(refused(world)).toEqual([
      {
        ...{
          severity: 'error',
          code: 'move-outside',
          address: 'b',
          place: { file: 'catalogue/all.yaml', line: 1, column: 1 },
        },
        summary: 'b takes over the object of a, and only one of the two is selected.',
        hint: 'Select both or none: --target b --target a',
      },
    ]);
    expect(steps({ ...world, more: { only: ['b', 'a'] } })).toEqual(['move b']);
    expect(steps({ ...world, more: { only: ['b'], imports: new Map([['b', 'id-a']]) } })).toEqual(['move b']);
  });

  it('problems of what is not selected do no harm', () => {
    const clash: World = {
      wanted: { a: shelf({ name: 'A', note: 'n' }), b: shelf({ name: 'A' }), c: card({ name: 'c' }) },
      records: [a],
      found: { c: { kind: 'gone' } },
    };
    expect(makePlan(planInput(clash)).kind).toBe('refused');
    expect(steps({ ...clash, more: { only: ['c'] } })).toEqual(['create c']);
  });
});

describe('what a step rests on', () => {
  const digestOfStep = (world: World): string => stepOf(world, 'a').precondition?.digest ?? '';
  const wanted = (properties: JsonObject, options = {}) => ({
    a: shelf({ name: 'A', note: 'm', ...properties }, options),
  });
  const base: World = { wanted: wanted({}), records: [a] };
  it.each<[string, boolean, World]>([
    ['what nobody declares', true, { ...base, readings: { a: readingOf(a, { owner: 'x' }) } }],
    ['another spelling', true, { ...base, readings: { a: readingOf(a, { note: 'n\n' }) } }],
    ['a declared field', false, { ...base, readings: { a: readingOf(a, { note: 'x' }) } }],
    [
      'a field that is recorded only',
      false,
      { wanted: { a: shelf({ note: 'm' }) }, records: [a], readings: { a: readingOf(a, { name: 'x' }) } },
    ],
  ])('does it hold when %s changed? %s', (_name, holds, world) => {
    const same = digestOfStep({ ...world, readings: {} });
    expect(digestOfStep(world) === same).toBe(holds);
  });

  it('leaves out the labels of others, what is left alone and what cannot be read', () => {
    const record = recordOf('a', 'Shelf', { name: 'A', labels: { x: '1' }, door: 'd', owner: 'me' });
    const world = (changes: JsonObject): World => ({
      wanted: { a: shelf({ name: 'B', labels: { x: '1' }, door: 'd', owner: 'me' }, { ignoreChanges: ['owner'] }) },
      ...{ records: [record], readings: { a: readingOf(record, changes) } },
    });
    const before = digestOfStep(world({}));
    expect(digestOfStep(world({ labels: { x: '1', y: '2' }, owner: 'you', door: 'e' }))).toBe(before);
    expect(digestOfStep(world({ labels: { x: '2' } }))).not.toBe(before);
  });

  it('never shows a secret: its mark stands for it', () => {
    const record = recordOf('a', 'Shelf', {
      name: 'A',
      note: seals.sealPlain({ equality: 'text' }, 'hush', '!env N') as unknown as Json,
    });
    const world: World = { wanted: { a: shelf({ name: 'B', note: 'secret:N:hush' }) }, records: [record] };
    const read = (note: Json): string => digestOfStep({ ...world, readings: { a: readingOf(record, { note }) } });
    const changed = (note: Json): readonly string[] =>
      stepOf({ ...world, readings: { a: readingOf(record, { note }) } }, 'a').fields.map(({ field }) => field);
    expect(read('hush')).toBe(digestOfStep(world));
    // Its digest says nothing of a secret; one that moved stands among the changes, which are held against the plan, too.
    expect(read('other')).toBe(digestOfStep(world));
    expect([changed('hush'), changed('other')]).toEqual([['name'], ['name', 'note']]);
  });
});

describe('risks', () => {
  const risks = (world: World): readonly object[] => stepOf(world, 'a').risks;
  const open = recordOf('a', 'Shelf', { name: 'A', mode: 'open' });
  const hidden = recordOf('a', 'Shelf', { name: 'A', mode: 'hidden' });
  it.each<[string, World, readonly object[]]>([
    ['a delete', { records: [a] }, [{ kind: 'deletes' }]],
    ['of what the public sees', { records: [open] }, [{ kind: 'deletes' }, { kind: 'unpublishes' }]],
    [
      'a replacement',
      { wanted: { a: shelf({ name: 'A', note: 'n' }) }, records: [a], more: { replace: new Set(['a']) } },
      [{ kind: 'replaces' }],
    ],
    ['showing it', { wanted: { a: shelf({ name: 'A', mode: 'open' }) }, records: [hidden] }, [{ kind: 'publishes' }]],
    ['hiding it', { wanted: { a: shelf({ name: 'A', mode: 'hidden' }) }, records: [open] }, [{ kind: 'unpublishes' }]],
    [
      'making it seen',
      { wanted: { a: shelf({ name: 'A', mode: 'open' }) }, found: { a: { kind: 'gone' } } },
      [{ kind: 'publishes' }],
    ],
    ['making it hidden', { wanted: { a: shelf({ name: 'A', mode: 'hidden' }) }, found: { a: { kind: 'gone' } } }, []],
    ['changing what is seen', { wanted: { a: shelf({ name: 'B', mode: 'open' }) }, records: [open] }, []],
    [
      'what keeps it',
      { wanted: { a: shelf({ name: 'A', note: 'n' }) }, records: [{ ...a, protect: true, retainOnDelete: true }] },
      [{ kind: 'unprotects' }, { kind: 'stops-retaining' }],
    ],
    [
      'what will keep it',
      { wanted: { a: shelf({ name: 'A', note: 'n' }, { protect: true, retainOnDelete: true }) }, records: [a] },
      [],
    ],
    [
      'what it is lent to',
      {
        records: [
          recordOf(
            'a',
            'Shelf',
            {},
            { outputs: { readers: [{ id: 'z' }, { name: 'bob', id: 'b' }, 'ann', { x: 1 }, { name: null, id: 'y' }] } },
          ),
        ],
      },
      [
        { kind: 'deletes' },
        ...['ann', 'bob', 'y', 'z', '{"x":1}'].map((who) => ({ kind: 'cascades', what: `readers: ${who}` })),
      ],
    ],
    [
      'nobody it is lent to',
      { records: [recordOf('a', 'Shelf', {}, { outputs: { readers: 'none' } })] },
      [{ kind: 'deletes' }],
    ],
    [
      'an update ends nothing',
      {
        wanted: { a: shelf({ name: 'B' }) },
        records: [recordOf('a', 'Shelf', { name: 'A' }, { outputs: { name: 'A', readers: ['ann'] } })],
      },
      [],
    ],
  ])('of %s', (_name, world, expected) => {
    expect(risks(world)).toEqual(expected);
  });
});

describe('a plan in a file', () => {
  const plan = planOf({ wanted: { c: card({ name: 'c' }) }, records: [a] });
  const text = serializePlan(plan);
  const reason = (changed: string): string => {
    const read = parsePlan(changed);
    return 'plan' in read ? 'fine' : read.reason;
  };
  const without = (name: string): string => {
    const { [name]: _gone, ...rest } = JSON.parse(text) as JsonObject;
    return `${canonicalJson(rest)}\n`;
  };

  it('is read as it was written', () => {
    expect(parsePlan(text)).toEqual({ plan });
    expect(text.endsWith('}\n')).toBe(true);
    expect(parsePlan(text.trimEnd())).toEqual({ plan });
  });

  it.each<[string, string, string]>([
    ['no JSON', 'x', 'not-a-plan'],
    ['null', 'null', 'not-a-plan'],
    ['a text', '"x"', 'not-a-plan'],
    ['other JSON', '{"checksum":"x"}', 'not-a-plan'],
    ['no checksum', without('checksum'), 'not-a-plan'],
    ['no steps', without('steps'), 'not-a-plan'],
    ['another version', text.replace('"formatVersion":1', '"formatVersion":2'), 'version'],
    ['no list of what was not compared', without('notCompared'), 'altered'],
    ['another order of keys', JSON.stringify(JSON.parse(text)).replace(/^\{/, '{ '), 'altered'],
    ['a changed step', text.replace('"name":"c"', '"name":"d"').replace('"new":"c"', '"new":"d"'), 'altered'],
    ['a changed host', text.replace('"host":"here"', '"host":"there"'), 'altered'],
    ['one more member', text.replace(/\}\n$/, ',"zz":1}\n'), 'altered'],
    ['steps twice', text.replace('"steps":[', '"steps":[],"steps":['), 'altered'],
    ['steps in other words', text.replace('"name"', String.raw`"n\u0061me"`), 'altered'],
  ])('with %s is refused', (_name, changed, expected) => {
    expect(reason(changed)).toBe(expected);
  });

  it('is refused whichever of its characters is gone, doubled or another', () => {
    const whole = text.trimEnd();
    const kept = [...whole].flatMap((sign, at) =>
      ['', sign + sign, ' ', `${sign} `, sign === '0' ? '1' : '0']
        .filter((other) => other !== sign)
        .map((other) => `${whole.slice(0, at)}${other}${whole.slice(at + 1)}`)
        .filter((changed) => changed.trimEnd() !== whole && reason(changed) === 'fine'),
    );
    expect(kept).toEqual([]);
  });

  it('that is refused says why, and what to do', () => {
    const refusals = [
      'x',
      '{}',
      text.replace('"formatVersion":1', '"formatVersion":7'),
      without('notCompared'),
      text.replace('here', 'there'),
    ];
    expect(
      refusals.map((changed) => parsePlan(changed)).map((read) => ('diagnostic' in read ? read.diagnostic : read)),
    ).toEqual(
      [
        ['plan-not-a-plan', 'The file is not a plan: it is not JSON.'],
        ['plan-not-a-plan', 'The file is JSON, but not a plan.'],
        ['plan-version', 'The plan has format version 7; this program reads version 1.'],
        ['plan-altered', 'The plan file was changed after it was written: a part of it is missing.'],
        ['plan-altered', 'The plan file was changed after it was written: its checksum does not match.'],
      ].map(([code, summary]) => ({
        severity: 'error',
        code,
        summary,
        hint: 'Make a new one: sync plan --out plan.json',
      })),
    );
  });

  it('whose checksum was made anew is found out by its digest', () => {
    const { digest: _digest, ...rest } = plan;
    const forged = serializePlan({ ...rest, serial: 8, digest: plan.digest });
    expect(reason(forged)).toBe('altered');
    expect(reason(serializePlan({ ...rest, serial: 8, digest: digestOf({ ...rest, serial: 8 }) }))).toBe('fine');
  });

  it('has a digest that neither the hour nor the words of one failed call change', () => {
    const { digest: _digest, meta: _meta, ...body } = plan;
    const failed = (detail: string, summary = 's') => ({
      ...body,
      notCompared: [{ type: 't', diagnostic: { severity: 'error' as const, code: 'c', summary, detail } }],
    });
    expect(digestOf(failed('trace 1'))).toBe(digestOf(failed('trace 2')));
    expect(digestOf(failed('trace 1', 'other'))).not.toBe(digestOf(failed('trace 1')));
    expect(digestOf(failed('trace 1'))).not.toBe(digestOf(body));
    expect(digestOf(plan)).toBe(digestOf(body));
  });
});

describe('records that only have to be written', () => {
  it('are those of steps that say so', () => {
    const { steps: decided } = planned({
      wanted: { a: shelf({ name: 'A', note: 'n' }) },
      records: [{ ...a, dependencies: ['z'] }],
    });
    const recordOnly = [...decided.values()].filter((one) => one.recordOnly);
    expect(recordOnly.map(({ address, operations }) => [address, operations])).toEqual([['a', []]]);
  });
});

describe('what could not be compared', () => {
  const diagnostic = { severity: 'error', code: 'unreachable', summary: 's' } as const;
  it('stands there by address, whole types before all', () => {
    const records = ['B', 'A'].map((address) => recordOf(address, 'Shelf', { name: address }));
    const plan = planOf({
      wanted: { A: shelf({ name: 'A' }), B: shelf({ name: 'B' }) },
      records,
      readings: { A: failedReading(), B: failedReading() },
      snapshot: { unread: [{ type: token('Card'), diagnostic }] as never },
    });
    expect(plan.notCompared.map(({ address }) => address)).toEqual([undefined, 'A', 'B']);
  });

  it('is no reason not to adopt the rest, and stays in the plan', () => {
    const { steps: decided } = planned({
      ...{ mode: 'adopt', wanted: { a: shelf({ name: 'A', note: 'n' }), c: card({ name: 'c' }) }, records: [a] },
      ...{ readings: { a: failedReading() }, found: { c: { kind: 'gone' } } },
    });
    expect([...decided.values()].map(({ address, action }) => `${address} ${action}`)).toEqual(['a not-compared']);
  });
});

describe('places in files', () => {
  it('of fields stand there for steps that write fields', () => {
    const moved = { b: shelf({ name: 'A', note: 'n' }, { aliases: ['a'] }), c: card({ name: 'c' }) };
    const { meta } = planOf({ wanted: moved, records: [a] });
    expect(Object.keys(meta.sources ?? {}).sort()).toEqual(['b', 'c']);
    expect(Object.keys(meta.fieldSources ?? {})).toEqual(['c']);
  });
});
