import { describe, expect, it } from 'vitest';
import type { Address } from '@platform-sync/core/model/address';
import { orderOperations } from '@platform-sync/engine/plan/order';
import { operationsOf, type Step } from '@platform-sync/engine/plan/step';
import { byAddress, changing, desiredResource, dependsOn, isInOrder, step, record } from './worlds.js';

type Graph = Readonly<Record<Address, readonly Address[]>>;

const order = (steps: readonly Step[], graph: Graph = {}) => {
  const { steps: ordered, cycles } = orderOperations(byAddress(steps), new Map(Object.entries(graph)));
  return { operations: operationsOf(ordered), cycles };
};

/** `parent delete`, in the order in which they could be carried out one by one. */
const ids = (steps: readonly Step[], graph: Graph = {}): readonly string[] =>
  order(steps, graph).operations.map(({ id }) => id);

it('that no wait can be taken from is a flaw of the program, and says of what', () => {
  const steps = [step('a', 'create'), step('b', 'create')];
  expect(() => order(steps, { a: ['b'], b: ['a'] })).toThrow('bug: operations wait for each other: b create, a create');
});

it('of what leaves a home that ends is no reason for a ring', () => {
  const steps = [step('r', 'replace'), step('h', 'delete', dependsOn('h', 'r')), step('n', 'update')];
  const graph = new Map([['n', ['r']]]);
  const ordered = (leaving: readonly { readonly address: string; readonly home: string }[]): readonly string[] =>
    operationsOf(orderOperations(byAddress(steps), graph, leaving).steps).map(({ id }) => id);
  expect(ordered([{ address: 'n', home: 'h' }])).toEqual(['h delete', 'r delete', 'r create', 'n update']);
});

describe('the order of operations', () => {
  it.each<[string, readonly Step[], Graph, readonly string[]]>([
    [
      'what is needed is made first',
      [step('child', 'create'), step('parent', 'create')],
      { child: ['parent'] },
      ['parent create', 'child create'],
    ],
    [
      'an update waits for what it needs',
      [step('child', 'update'), step('parent', 'update')],
      { child: ['parent'] },
      ['parent update', 'child update'],
    ],
    [
      'what depends on it is deleted first',
      [step('a', 'delete'), step('b', 'delete', dependsOn('b', 'a'))],
      {},
      ['b delete', 'a delete'],
    ],
    [
      'two that were recorded at different times, each as depending on the other: both go',
      [step('a', 'delete', dependsOn('a', 'b')), step('b', 'delete', dependsOn('b', 'a'))],
      {},
      ['a delete', 'b delete'],
    ],
    [
      'what pointed at it points elsewhere first',
      [step('a', 'delete'), step('b', 'update', dependsOn('b', 'a'))],
      {},
      ['b update', 'a delete'],
    ],
    [
      'a replaced parent: its child goes before it and comes after it',
      [step('parent', 'replace'), step('child', 'replace', dependsOn('child', 'parent'))],
      { child: ['parent'] },
      ['child delete', 'parent delete', 'parent create', 'child create'],
    ],
    [
      'created first: the old one goes last',
      [step('a', 'replace', { order: 'create-first' })],
      {},
      ['a create', 'a delete-old'],
    ],
    [
      'created first: those that point at it move on before the old one goes',
      [step('a', 'replace', { order: 'create-first' }), step('b', 'update', dependsOn('b', 'a'))],
      { b: ['a'] },
      ['a create', 'b update', 'a delete-old'],
    ],
    [
      'created first, with a child that is replaced, too',
      [
        step('a', 'replace', { order: 'create-first' }),
        step('b', 'replace', { order: 'create-first', ...dependsOn('b', 'a') }),
      ],
      { b: ['a'] },
      ['a create', 'b create', 'b delete-old', 'a delete-old'],
    ],
    [
      'created first, with a child that goes away',
      [step('a', 'replace', { order: 'create-first' }), step('b', 'delete', dependsOn('b', 'a'))],
      {},
      ['a create', 'b delete', 'a delete-old'],
    ],
    [
      'deleted first: who points elsewhere from now on moves on before',
      [step('a', 'replace'), step('b', 'update', dependsOn('b', 'a'))],
      {},
      ['b update', 'a delete', 'a create'],
    ],
    [
      'deleted first: who points at the new one has to wait for it',
      [step('a', 'replace'), step('b', 'update', dependsOn('b', 'a'))],
      { b: ['a'] },
      ['a delete', 'a create', 'b update'],
    ],
    [
      'created first: who points elsewhere from now on moves on before the old one goes, too',
      [step('a', 'replace', { order: 'create-first' }), step('b', 'update', dependsOn('b', 'a'))],
      {},
      ['a create', 'b update', 'a delete-old'],
    ],
    [
      'what follows another is made before it where that needs it',
      [step('p', 'create', { kind: 'ApiPublication' }), step('v', 'create', { kind: 'ApiVersion' })],
      { p: ['api'], v: ['api', 'p'] },
      ['p create', 'v create'],
    ],
    [
      'a wait that would be a ring is given up, and no other',
      [
        // The new y needs what b becomes, and b waited for the end of the old y.
        step('y', 'replace'),
        step('b', 'update', dependsOn('b', 'x')),
        step('c', 'update', dependsOn('c', 'x')),
        step('x', 'delete', dependsOn('x', 'y')),
      ],
      { b: ['y'] },
      ['c update', 'x delete', 'y delete', 'y create', 'b update'],
    ],
    [
      'a record names the address of then: the child of a renamed parent goes before it all the same',
      [
        step('fresh', 'replace', { movedFrom: 'old', recorded: record('old') }),
        step('fresh/page', 'replace', {
          movedFrom: 'old/page',
          recorded: record('old/page', { dependencies: ['old'] }),
        }),
      ],
      { 'fresh/page': ['fresh'] },
      ['fresh/page delete', 'fresh delete', 'fresh create', 'fresh/page create'],
    ],
    [
      'changes of options and moves wait, and are waited for',
      [step('a', 'create'), step('b', 'options'), step('c', 'update')],
      { a: ['b'], b: ['c'] },
      ['c update', 'b record', 'a create'],
    ],
    [
      'what state lets go of waits for nobody',
      [step('a', 'forget'), step('b', 'forget')],
      { a: ['b'] },
      ['a record', 'b record'],
    ],
    [
      'created first: one that is taken over and points at it moves on before the old one goes',
      [step('a', 'replace', { order: 'create-first' }), step('b', 'adopt')],
      { b: ['a'] },
      ['a create', 'b adopt', 'a delete-old'],
    ],
    ...(['delete', 'update', 'replace'] as const).map((action): [string, readonly Step[], Graph, readonly string[]] => [
      `a record that names itself binds nobody: ${action}`,
      [step('a', action, { order: 'create-first', ...dependsOn('a', 'a') })],
      {},
      action === 'replace' ? ['a create', 'a delete-old'] : [`a ${action}`],
    ]),
    ['nothing to do is no operation', [step('a', 'none'), step('b', 'not-compared')], {}, []],
  ])('%s', (_name, steps, graph, expected) => {
    // In whatever order they come.
    for (const given of [steps, [...steps].reverse()]) {
      const made = order(given, graph);
      expect(made.cycles).toEqual([]);
      expect(isInOrder(made.operations)).toBe(true);
      expect(ids(given, graph)).toEqual(expected);
    }
  });
});

describe('what waits for what', () => {
  const needs = (steps: readonly Step[], graph: Graph = {}): Readonly<Record<string, readonly string[]>> =>
    Object.fromEntries(order(steps, graph).operations.map((one) => [one.id, one.dependsOn]));

  it('is said in order, and each once', () => {
    const given = [step('a', 'create'), step('b', 'create'), step('c', 'update', dependsOn('c', 'b', 'a'))];
    expect(needs(given, { c: ['b', 'a'] })['c update']).toEqual(['a create', 'b create']);
  });

  it('of the waits that could be given up only those of the ring are', () => {
    const given = [
      step('y', 'replace'),
      step('b', 'update', dependsOn('b', 'x')),
      step('c', 'update', dependsOn('c', 'x')),
      step('x', 'delete', dependsOn('x', 'y')),
    ];
    expect(needs(given, { b: ['y'] })).toEqual({
      ...{ 'c update': [], 'x delete': ['c update'], 'y delete': ['x delete'] },
      ...{ 'y create': ['y delete'], 'b update': ['y create'] },
    });
  });

  it('who keeps what is replaced may take its key: it only waits', () => {
    const doc = (address: string, action: Step['action'], slug: string, now: string) =>
      step(address, action, {
        ...{
          kind: 'ApiProductDocument',
          declared: { apiProductId: 'p', slug },
          actual: { apiProductId: 'p', slug: now },
        },
        ...{ changes: [changing('ApiProductDocument', 'slug', slug)] },
        ...(address === 'b' ? { recorded: record('b', { kind: 'ApiProductDocument', dependencies: ['a'] }) } : {}),
      });
    const made = order([doc('a', 'replace', 'y', 'x'), doc('b', 'update', 'x', 'z')], { b: ['a'] });
    expect(made.cycles).toEqual([]);
    expect(made.operations.map(({ id }) => id)).toEqual(['a delete', 'a create', 'b update']);
  });

  const api = (address: string, action: Step['action'], name: string, now = name) =>
    step(address, action, {
      ...{ kind: 'Api', declared: { name, version: '1' }, actual: { name: now, version: '1' } },
      changes: now === name ? [] : [changing('Api', 'name', name)],
    });
  const moving = (address: string, from: string, to: string): Step => {
    const recorded = record(address, {
      ...{ kind: 'ApiDocument', dependencies: [from], identity: { id: address, scope: { apiId: `id of ${from}` } } },
    });
    const one = step(address, 'replace', { kind: 'ApiDocument', recorded });
    const at = { file: 'catalogue/all.yaml', start: 0, end: 0 };
    const apiId = { kind: 'reference', to: 'resource', target: to, path: ['id'], text: `${to}.id`, at } as const;
    return {
      ...one,
      desired: { ...desiredResource(address, {}, 'ApiDocument'), properties: new Map([['apiId', apiId]]) },
    };
  };

  it('a child stays until there is its new parent where another one steps aside for that', () => {
    const ending = { ...api('s', 'delete', 'S'), recorded: record('s', { kind: 'Api' }) };
    const given = [ending, api('t', 'create', 'U'), api('u', 'update', 'S', 'U'), moving('b', 's', 't')];
    const graph = { b: ['t'], c: ['t'] };
    // What is made before its old object ends makes s, and so u, wait for t.
    const all = [...given, { ...moving('c', 's', 't'), order: 'create-first' } as const];
    expect(needs(all, graph)).toMatchObject({
      ...{ 't create': ['u park'], 'b delete': ['t create'], 'u update': ['s delete', 'u park'] },
      's delete': ['b delete', 'c delete-old'],
    });
    // Nobody steps aside for safety alone.
    expect(needs(given, graph)).toMatchObject({ 't create': ['u update'], 'b delete': [] });
  });

  it('a child goes before there is its new parent only where that one waits for it', () => {
    const given = [
      ...[api('s', 'delete', 'S'), api('t', 'create', 'S'), api('u', 'create', 'U'), api('v', 'update', 'V')],
      ...[moving('b', 's', 't'), moving('c', 's', 'u'), moving('d', 'v', 't')],
    ];
    const waits = needs(given, { b: ['t'], c: ['u'], d: ['t'] });
    // The new t waits for the end of s, which waits for the end of b.
    expect(waits).toMatchObject({ 't create': ['s delete'], 's delete': ['b delete', 'c delete'], 'b delete': [] });
    expect(waits).toMatchObject({
      'c delete': ['u create'],
      'd delete': ['t create'],
      'b create': ['b delete', 't create'],
    });
    expect(order(given, { b: ['t'], c: ['u'], d: ['t'] }).cycles).toEqual([]);
  });
});

describe('unique keys', () => {
  const doc = (address: string, action: Step['action'], now: string | undefined, next: string | undefined) =>
    step(address, action, {
      kind: 'ApiProductDocument',
      declared: { apiProductId: 'p', ...(next === undefined ? {} : { slug: next }) },
      ...(now === undefined ? {} : { actual: { apiProductId: 'p', slug: now } }),
      changes:
        next !== undefined && now !== undefined && now !== next ? [changing('ApiProductDocument', 'slug', next)] : [],
    });

  it.each<[string, readonly Step[], readonly string[]]>([
    [
      'a create waits for the delete that gives its key up',
      [doc('new', 'create', undefined, 'x'), doc('old', 'delete', 'x', undefined)],
      ['old delete', 'new create'],
    ],
    [
      'an update waits for the update that does',
      [doc('b', 'update', 'y', 'x'), doc('a', 'update', 'x', 'z')],
      ['a update', 'b update'],
    ],
    [
      'a replacement waits for its own and for others',
      [doc('b', 'replace', 'y', 'x'), doc('a', 'delete', 'x', undefined)],
      ['a delete', 'b delete', 'b create'],
    ],
    [
      'two that exchange theirs: one steps aside',
      [doc('a', 'update', 'x', 'y'), doc('b', 'update', 'y', 'x')],
      ['b park', 'a update', 'b update'],
    ],
    [
      'who only waits for such a pair keeps waiting for what it takes',
      [
        doc('a', 'update', 'x', 'y'),
        doc('b', 'update', 'y', 'x'),
        doc('c', 'update', 'z', 'w'),
        doc('d', 'create', undefined, 'z'),
      ],
      ['b park', 'a update', 'b update', 'c update', 'd create'],
    ],
    [
      'nobody waits for a key nobody takes',
      [doc('a', 'update', 'x', 'x'), doc('b', 'delete', 'y', undefined)],
      ['a update', 'b delete'],
    ],
  ])('%s', (_name, steps, expected) => {
    const made = order(steps);
    expect(made.cycles).toEqual([]);
    expect(isInOrder(made.operations)).toBe(true);
    const at = (id: string): number => made.operations.findIndex((operation) => operation.id === id);
    expect(made.operations.map(({ id }) => id).sort()).toEqual([...expected].sort());
    for (const [index, id] of expected.slice(1).entries())
      if (steps.length > 1 && !_name.startsWith('nobody')) expect(at(expected[index] ?? '')).toBeLessThan(at(id));
  });

  it('an object steps aside under a name that is nobody else’s', () => {
    const made = order([doc('a', 'update', 'x', 'y'), doc('b', 'update', 'y', 'x')]);
    expect(made.operations.find(({ kind }) => kind === 'park')?.parking).toEqual({ slug: 'moving-0ff0b582d958f201' });
  });

  describe('of several kinds', () => {
    type Keys = Readonly<Record<string, string>>;
    const twice = (address: string, now: Keys, next: Keys, kind = 'ApiProductDocument'): Step => {
      const changes = Object.entries(next).map(([field, value]) => changing(kind, field, value));
      const one = step(address, 'update', { kind, declared: next, actual: now, changes });
      return { ...one, type: { ...one.type, naturalKey: ['slug'], unique: [['slug'], ['title']] } };
    };

    it('who exchanges two steps aside with both', () => {
      const one = { slug: 'x', title: 'X' };
      const other = { slug: 'y', title: 'Y' };
      const made = order([twice('a', one, other), twice('b', other, one)]);
      expect(made.cycles).toEqual([]);
      expect(made.operations.map(({ id }) => id)).toEqual(['b park', 'a update', 'b update']);
      expect(made.operations[0]?.parking).toEqual({ slug: 'moving-0ff0b582d958f201', title: 'moving-id of b' });
    });

    it('who waits for a key outside of the ring is waited for by nobody there', () => {
      const [x, y] = [
        { slug: 'x', title: 'X' },
        { slug: 'y', title: 'Y' },
      ];
      const made = order([
        ...[twice('a', x, { slug: 'y', title: 'Z' }), twice('b', y, { slug: 'x', title: 'W' })],
        twice('c', { slug: 'z', title: 'Z' }, { slug: 'z', title: 'V' }),
      ]);
      const needs = made.operations.map(({ id, dependsOn: all }) => `${id} < ${all.join()}`);
      expect(needs.sort()).toEqual([
        'a update < b park,c update',
        'b park < ',
        'b update < a update,b park',
        'c update < ',
      ]);
    });

    it('who needs the other all the same has the other step aside', () => {
      const [x, y] = [
        { slug: 'x', title: 'X' },
        { slug: 'y', title: 'Y' },
      ];
      for (const [first, second] of [
        ['a', 'b'],
        ['b', 'a'],
      ] as const) {
        const made = order([twice('a', x, y), twice('b', y, x)], { [first]: [second] });
        expect(made.cycles).toEqual([]);
        expect(made.operations.map(({ id }) => id)).toEqual([`${first} park`, `${second} update`, `${first} update`]);
      }
    });

    it('who can’t step aside with one of them is no help: the other steps aside, or nobody', () => {
      const one = { slug: 'x', title: 'X' };
      const other = { slug: 'y', title: 'Y' };
      // What can't be written can't have a passing value.
      const fixed = ({ changes, ...rest }: Step): Step => ({
        ...rest,
        changes: changes.map(({ rule, ...change }) => ({
          ...change,
          rule: rule.name === 'title' ? { ...rule, references: 'some:type' } : rule,
        })),
      });
      const half = order([twice('a', one, other), fixed(twice('b', other, one))]);
      expect(half.operations.map(({ id }) => id)).toEqual(['a park', 'b update', 'a update']);
      const none = order([fixed(twice('a', one, other)), fixed(twice('b', other, one))]);
      expect(none.cycles).toEqual([
        { holder: 'a', taker: 'b' },
        { holder: 'b', taker: 'a' },
      ]);
      expect(isInOrder(none.operations)).toBe(true);
    });
  });

  it('a thousand pairs are untied at one look, not one after the other', () => {
    const pairs = Array.from({ length: 1000 }, (_, at) => [
      doc(`a${at}`, 'update', `x${at}`, `y${at}`),
      doc(`b${at}`, 'update', `y${at}`, `x${at}`),
    ]).flat();
    const made = order(pairs);
    expect(made.cycles).toEqual([]);
    expect(made.operations).toHaveLength(3000);
    expect(isInOrder(made.operations)).toBe(true);
  });
});
