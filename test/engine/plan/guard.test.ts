import { describe, expect, it } from 'vitest';
import { guardNames, isGuardName } from '@platform-sync/core/model/project';
import type { Reading } from '@platform-sync/core/model/snapshot';
import { checkGuards, isBlocked, type GuardInput } from '@platform-sync/engine/plan/guards/guard';
import type { Step } from '@platform-sync/engine/plan/step';
import { withForced } from '@platform-sync/engine/plan/guards/force';
import { seals } from './made-up-plan.js';
import { byAddress, desiredResource, changing, step, record, state } from './worlds.js';

const noCatalogue = { resources: new Map() };

const many = (count: number, action: Step['action'], shape = {}): readonly Step[] =>
  Array.from({ length: count }, (_, at) => step(`${action}${at}`, action, shape));

function check(given: Partial<GuardInput>): ReturnType<typeof checkGuards> {
  const steps = given.steps ?? [];
  const records = steps.flatMap(({ recorded }) => recorded ?? []);
  return checkGuards({
    ...{
      mode: 'apply',
      desired: { resources: new Map([['any', desiredResource('any')]]) },
      targets: {},
      allow: [],
      today: '2026-06-01',
    },
    state: state(records),
    snapshot: { readings: new Map(), found: new Map(), listed: [], unmanaged: [], unread: [], uncertain: new Map() },
    settings: { maxDeletes: 10, maxDeletePercent: 100, allow: [] },
    along: [],
    types: new Map(),
    seals,
    ...given,
    steps,
  });
}

const names = (given: Partial<GuardInput>): readonly string[] => check(given).map(({ name }) => name);
const limits = (maxDeletes: number, maxDeletePercent: number, maxUpdatePercent?: number): GuardInput['settings'] => ({
  ...{ maxDeletes, maxDeletePercent, allow: [] },
  ...(maxUpdatePercent === undefined ? {} : { maxUpdatePercent }),
});
const changed = { changes: [changing('ApiProduct', 'description', 'new')] };

describe('guards on deletes', () => {
  it.each<[string, Partial<GuardInput>, readonly string[]]>([
    ['as many as allowed', { steps: many(2, 'delete'), settings: limits(2, 100) }, []],
    ['one more', { steps: many(3, 'delete'), settings: limits(2, 100) }, ['maxDeletes']],
    ['replacements are deletes', { steps: many(3, 'replace'), settings: limits(2, 100) }, ['maxDeletes']],
    [
      'both together',
      { steps: [...many(1, 'replace'), ...many(1, 'delete')], settings: limits(1, 100) },
      ['maxDeletes'],
    ],
    ['none is allowed, one is meant', { steps: many(1, 'delete'), settings: limits(0, 100) }, ['maxDeletes']],
    ['a single one has no share', { steps: many(1, 'delete'), settings: limits(10, 0) }, []],
    ['two have one', { steps: many(2, 'delete'), settings: limits(10, 99) }, ['maxDeletePercent']],
    ['two replacements have one', { steps: many(2, 'replace'), settings: limits(10, 99) }, ['maxDeletePercent']],
    [
      'just the share that is allowed',
      { steps: [...many(2, 'delete'), ...many(8, 'none')], settings: limits(10, 20) },
      [],
    ],
    [
      'a little more',
      { steps: [...many(2, 'delete'), ...many(7, 'none')], settings: limits(10, 20) },
      ['maxDeletePercent'],
    ],
    ['destroy is meant', { mode: 'destroy', steps: many(9, 'delete'), settings: limits(1, 1) }, []],
    ['forgetting deletes nothing', { steps: many(9, 'forget'), settings: limits(1, 1) }, []],
    ['what is only adopted, too', { steps: many(9, 'adopt'), settings: limits(1, 1) }, []],
  ])('%s', (_name, given, expected) => {
    expect(names(given)).toEqual(expected);
  });

  it('an old object that is still to be deleted is one of all that there are', () => {
    const [replaced, ended] = [...many(1, 'replace'), ...many(1, 'delete')];
    if (replaced?.recorded === undefined || ended === undefined) throw new Error('nothing to replace');
    const old = { identity: { id: 'old', scope: {} }, outputs: {} };
    const records = [{ ...replaced.recorded, deposed: [old] }];
    const given = { steps: [replaced, { ...ended, deposedOf: replaced.address }], state: state(records) };
    expect(names({ ...given, settings: limits(10, 100) })).toEqual([]);
    expect(check({ ...given, settings: limits(10, 99) })[0]?.summary).toContain('among 2 managed resources (100 %)');
  });

  it('says how many of them are in replacements', () => {
    const steps = [...many(2, 'replace'), ...many(1, 'delete')];
    expect(check({ steps, settings: limits(1, 100) })[0]?.summary).toBe(
      '3 deletes (2 in replacements), more than maxDeletes: 1',
    );
  });
});

describe('the guard on updates', () => {
  it.each<[string, readonly Step[], number | undefined, readonly string[]]>([
    ['off', many(20, 'update', changed), undefined, []],
    ['more than half of twenty', [...many(11, 'update', changed), ...many(9, 'none')], 50, ['maxUpdatePercent']],
    ['half of twenty', [...many(10, 'update', changed), ...many(10, 'none')], 50, []],
    ['all of nineteen: too few to count', many(19, 'update', changed), 50, []],
    ['all of twenty', many(20, 'update', changed), 99, ['maxUpdatePercent']],
    [
      'adoptions that change something count',
      [...many(11, 'adopt', changed), ...many(20, 'none')],
      50,
      ['maxUpdatePercent'],
    ],
    ['adoptions that change nothing do not', [...many(11, 'adopt'), ...many(20, 'none')], 50, []],
    ['options change nothing on the platform', many(20, 'options'), 0, []],
  ])('%s', (_name, steps, percent, expected) => {
    expect(names({ steps, settings: limits(100, 100, percent) })).toEqual(expected);
  });
});

describe('protection', () => {
  const kept = (address: string, more = {}) => record(address, { protect: true, ...more });
  it.each<[string, readonly Step[], readonly string[]]>([
    ['its block is gone', [step('a', 'delete', { recorded: kept('a') })], ['delete:a']],
    ['it would be replaced', [step('a', 'replace', { options: { protect: true } })], ['replace:a']],
    ['lifting it in the same plan does not count', [step('a', 'replace', { recorded: kept('a') })], ['replace:a']],
    ['it moves along', [step('b', 'replace', { movedFrom: 'a', recorded: kept('a') })], ['replace:b']],
    ['an update is fine', [step('a', 'update', { recorded: kept('a') })], []],
    ['forgetting is fine', [step('a', 'forget', { recorded: kept('a') })], []],
    ['nobody protects it', [step('a', 'delete')], []],
    [
      'what it lives in is protected',
      [step('a', 'none', { recorded: kept('a'), options: { protect: true } }), step('a/b', 'delete')],
      ['delete:a/b'],
    ],
    [
      'and two levels up',
      [step('a', 'none', { recorded: kept('a'), options: { protect: true } }), step('a/b/c', 'delete')],
      ['delete:a/b/c'],
    ],
    [
      'a neighbour with the same beginning is not above it',
      [step('a', 'none', { recorded: kept('a'), options: { protect: true } }), step('ab', 'delete')],
      [],
    ],
    [
      'it lives there by its id, not by its address',
      [
        step('a', 'none', { recorded: kept('a'), options: { protect: true } }),
        step('page', 'delete', {
          recorded: record('page', { identity: { id: 'p', scope: { apiProductId: 'id of a' } } }),
        }),
      ],
      ['delete:page'],
    ],
    [
      'the old object of what is protected',
      [
        step('a', 'none', { recorded: kept('a'), options: { protect: true } }),
        step('a~old', 'delete', { deposedOf: 'a', recorded: record('a~old') }),
      ],
      ['delete:a~old'],
    ],
  ])('%s', (_name, steps, expected) => {
    expect(names({ steps, settings: limits(100, 100) })).toEqual(expected);
  });

  it('of a resource that a partial plan leaves out reaches what lives in it', () => {
    const child = step('a/b', 'delete');
    const records = [kept('a'), ...(child.recorded === undefined ? [] : [child.recorded])];
    expect(names({ steps: [child], state: state(records) })).toEqual(['delete:a/b']);
  });
});

describe('adopting what differs', () => {
  it.each<[string, Partial<Step>, readonly string[]]>([
    ['in a fixed field is held back', { changes: [changing('Api', 'specContent', 'b', 'replace')] }, ['fixed:a']],
    ['in others is an update', { changes: [changing('Api', 'description', 'b')] }, []],
    ['in nothing', {}, []],
  ])('%s', (_name, more, expected) => {
    expect(names({ steps: [{ ...step('a', 'adopt', { kind: 'Api' }), ...more }] })).toEqual(expected);
  });
});

describe('an adoption by key with a difference in a fixed field', () => {
  const taken: Step = {
    ...step('a', 'adopt', { kind: 'Api' }),
    changes: [changing('Api', 'specContent', 'b', 'replace')],
    reasons: [{ kind: 'key-exists', id: '1' }],
  };
  const held = (...allow: GuardInput['allow']): readonly string[] =>
    check({ steps: [taken], allow }).flatMap(({ name, lifted }) => (lifted === undefined ? [name] : []));
  it.each<[string, GuardInput['allow'], readonly string[]]>([
    ['is held back twice', [], ['fixed:a', 'adopt:a']],
    ['is not let go by adopt', [{ guard: 'adopt', reason: 'ours' }], ['fixed:a']],
    ['is not let go by its own adopt', [{ guard: 'adopt:a', reason: 'ours' }], ['fixed:a']],
    ['is still taken over only when somebody said so', [{ guard: 'fixed:a', reason: 'later' }], ['adopt:a']],
    ['is held by what ran out', [{ guard: 'adopt', reason: 'ours', until: '2026-05-31' }], ['fixed:a', 'adopt:a']],
  ])('%s', (_name, allow, expected) => {
    expect(held(...allow)).toEqual(expected);
  });
});

const snapshotOf = (...kinds: readonly ('gone' | 'found')[]): GuardInput['snapshot'] => {
  const reading = (kind: 'gone' | 'found'): Reading =>
    kind === 'gone' ? { kind } : { kind, identity: { id: 'x', scope: {} }, values: {} };
  return {
    ...{ found: new Map(), listed: [], unmanaged: [], unread: [], uncertain: new Map() },
    readings: new Map(kinds.map((kind, at) => [`none${at}`, reading(kind)])),
  };
};

describe('whole-platform guards', () => {
  it.each<[string, Partial<GuardInput>, readonly string[]]>([
    ['an empty catalogue over a state', { steps: many(1, 'none'), desired: noCatalogue }, ['emptyCatalogue']],
    ['an empty catalogue over nothing', { desired: noCatalogue }, []],
    ['destroy asks for it', { mode: 'destroy', steps: many(1, 'none'), desired: noCatalogue }, []],
    ['all are gone', { steps: many(2, 'none'), snapshot: snapshotOf('gone', 'gone') }, ['everythingGone']],
    ['one is there', { steps: many(2, 'none'), snapshot: snapshotOf('gone', 'found') }, []],
    [
      'another target',
      { targets: { platform: 'b' }, state: state([], { targets: { platform: 'a' } }) },
      ['target:platform'],
    ],
    ['the same target', { targets: { platform: 'a' }, state: state([], { targets: { platform: 'a' } }) }, []],
    ['a first target', { targets: { platform: 'a' } }, []],
  ])('%s', (_name, given, expected) => {
    expect(names(given)).toEqual(expected);
  });
});

describe('what a guard says', () => {
  const settings = limits(0, 10, 10);
  const many20 = (action: Step['action']) => [...many(3, action, changed), ...many(17, 'none')];
  const words = (given: Partial<GuardInput>): readonly object[] => check({ settings, ...given }).map((one) => one);
  it.each<[string, Partial<GuardInput>, readonly object[]]>([
    [
      'of too many deletes',
      { steps: many20('delete') },
      [
        {
          ...{ name: 'maxDeletes', summary: '3 deletes, more than maxDeletes: 0' },
          addresses: ['delete0', 'delete1', 'delete2'],
        },
        {
          name: 'maxDeletePercent',
          summary: '3 deletes among 20 managed resources (15 %), more than maxDeletePercent: 10',
          addresses: ['delete0', 'delete1', 'delete2'],
        },
      ],
    ],
    [
      'of one',
      { steps: many(1, 'delete') },
      [{ name: 'maxDeletes', summary: '1 delete, more than maxDeletes: 0', addresses: ['delete0'] }],
    ],
    [
      'of too many updates',
      { steps: many20('update') },
      [
        {
          name: 'maxUpdatePercent',
          summary: '3 updates among 20 managed resources (15 %), more than maxUpdatePercent: 10',
          addresses: ['update0', 'update1', 'update2'],
        },
      ],
    ],
    [
      'of deletes where nothing is managed',
      { steps: many(2, 'delete'), state: state([]), settings: limits(5, 10) },
      [
        {
          name: 'maxDeletePercent',
          summary: '2 deletes among 0 managed resources (100 %), more than maxDeletePercent: 10',
          addresses: ['delete0', 'delete1'],
        },
      ],
    ],
    [
      'of an empty catalogue',
      { steps: many(2, 'none'), desired: noCatalogue },
      [
        {
          name: 'emptyCatalogue',
          summary: 'the catalogue is empty, but 2 resources are managed; to delete them all on purpose use destroy',
          addresses: [],
        },
      ],
    ],
    [
      'of an empty catalogue over one resource',
      { steps: many(1, 'none'), desired: noCatalogue },
      [
        {
          name: 'emptyCatalogue',
          summary: 'the catalogue is empty, but 1 resource is managed; to delete them all on purpose use destroy',
          addresses: [],
        },
      ],
    ],
    [
      'of everything gone',
      { steps: many(2, 'none'), snapshot: snapshotOf('gone', 'gone') },
      [
        {
          name: 'everythingGone',
          summary: 'none of the 2 managed objects exists any more at this target; is it the right one?',
          addresses: [],
        },
      ],
    ],
    [
      'of another target',
      { targets: { platform: 'b' }, state: state([], { targets: { platform: 'a' } }) },
      [
        {
          name: 'target:platform',
          summary: 'this stack was applied to a, and would now be applied to b',
          addresses: [],
        },
      ],
    ],
    [
      'of what cannot be made right',
      {
        steps: [
          {
            ...step('a', 'adopt', { kind: 'Api' }),
            changes: [
              changing('Api', 'specContent', 'b', 'replace'),
              changing('Api', 'description', 'c'),
              changing('Api', 'version', 'd', 'replace'),
            ],
          },
        ],
      },
      [
        {
          name: 'fixed:a',
          summary:
            'a would be adopted although only a replacement could change its specContent, version: write the value of the object into the catalogue, or use ignoreChanges; if you lift the guard, it is adopted as it is, and the next plan with a record replaces it',
          addresses: ['a'],
        },
      ],
    ],
    [
      'of what would be made again and again',
      { steps: [step('a', 'create')], adopt: 'byKey' },
      [
        {
          name: 'unkeyed:a',
          summary:
            'a would be created, and without kept state every later run would create it again: no key tells one ApiProduct from another',
          addresses: ['a'],
        },
      ],
    ],
    [
      'of what is protected',
      { steps: [step('a', 'replace', { options: { protect: true } })], settings: limits(9, 100) },
      [{ name: 'replace:a', summary: 'a is protected and would be replaced', addresses: ['a'] }],
    ],
    [
      'of what was protected until now',
      {
        steps: [
          step('a', 'none', { recorded: record('a', { protect: true }) }),
          step('a/b', 'delete', { recorded: record('a/b') }),
        ],
        settings: limits(9, 100),
      },
      [
        {
          name: 'delete:a/b',
          summary: 'a/b is protected with a, which it lives in (this plan lifts it), and would be deleted',
          addresses: ['a/b'],
        },
      ],
    ],
    [
      'of what is protected along',
      {
        steps: [
          step('a', 'none', { recorded: record('a', { protect: true }), options: { protect: true } }),
          step('a/b', 'delete', { recorded: record('a/b') }),
        ],
        settings: limits(9, 100),
      },
      [
        {
          name: 'delete:a/b',
          summary: 'a/b is protected with a, which it lives in, and would be deleted',
          addresses: ['a/b'],
        },
      ],
    ],
  ])('%s', (_name, given, expected) => {
    expect(words(given)).toEqual(expected);
  });

  it.each<[string, Partial<GuardInput>]>([
    ['without kept state, of what a key finds', { steps: [step('a', 'create', { kind: 'Api' })], adopt: 'byKey' }],
    ['with a record', { steps: [step('a', 'create'), ...many(1, 'none')], adopt: 'byKey' }],
    ['where state is kept', { steps: [step('a', 'create')] }],
    ['of what is not made', { steps: [step('a', 'adopt')], adopt: 'byKey' }],
    [
      'of everything gone while all is destroyed',
      { mode: 'destroy', steps: many(1, 'none'), snapshot: snapshotOf('gone') },
    ],
    [
      'of a replacement, which makes it right',
      {
        steps: [{ ...step('a', 'replace', { kind: 'Api' }), changes: [changing('Api', 'version', 'd', 'replace')] }],
        settings: limits(9, 100),
      },
    ],
    ['of everything gone where nothing was read', { steps: many(1, 'none') }],
  ])('nothing %s', (_name, given) => {
    expect(words(given)).toEqual([]);
  });
});

describe('an answer that contradicts itself', () => {
  const snapshot = (readings: Readonly<Record<string, Reading>>): GuardInput['snapshot'] => ({
    ...{ found: new Map(), listed: [], unmanaged: [], unread: [], uncertain: new Map() },
    readings: new Map(Object.entries(readings)),
  });
  const diagnostic = { severity: 'error', code: 'c', summary: 's' } as const;
  const denied = (by: string): Reading => ({ kind: 'failed', diagnostic, denied: by });
  const readings = {
    ...{ 's/z': denied('s'), 's/b': denied('s'), t: denied('u'), v: { kind: 'failed', diagnostic } as const },
    w: { kind: 'gone' } as const,
  };
  const summary = (address: string): string =>
    `the platform says that ${address} does not exist, but shows objects in it; if the guard is lifted, both are left alone and the rest is done`;

  it.each<Step['action']>(['create', 'update', 'delete', 'options'])('holds back a plan with a step: %s', (action) => {
    const steps = [...many(1, 'none'), step('x', action), ...many(1, 'not-compared')];
    expect(check({ steps, snapshot: snapshot(readings) })).toEqual([
      { name: 'contradiction:s', summary: summary('s'), addresses: ['s/b', 's/z'] },
      { name: 'contradiction:u', summary: summary('u'), addresses: ['t'] },
    ]);
  });

  it('holds back nothing where nothing is to be done, or nobody was denied', () => {
    const idle = [...many(2, 'none'), ...many(2, 'not-compared')];
    expect(names({ steps: idle, snapshot: snapshot(readings) })).toEqual([]);
    const { v, w } = readings;
    expect(names({ steps: many(1, 'update'), snapshot: snapshot({ v, w }) })).toEqual([]);
  });
});

describe('a delete that is forced', () => {
  const forcible = (address: string, action: Step['action'], isForcible = true): Step => {
    const one = step(address, action);
    return isForcible ? { ...one, type: { ...one.type, forcible: ['delete'] } } : one;
  };
  const given = [
    ...[forcible('a', 'delete'), forcible('b', 'replace'), forcible('c', 'update'), forcible('d', 'delete', false)],
    forcible('e', 'delete'),
  ];
  const allowed = ['a', 'b', 'c', 'd'].map((address) => ({ guard: `force:${address}`, reason: 'empty it' }));

  it('is one that the type allows, that ends an object, and that somebody named', () => {
    const forced = withForced(byAddress(given), allowed);
    expect([...forced.values()].filter(({ force }) => force === true).map(({ address }) => address)).toEqual([
      'a',
      'b',
    ]);
    expect([...forced.keys()]).toEqual(['a', 'b', 'c', 'd', 'e']);
    const none = byAddress(given);
    expect(withForced(none, [])).toBe(none);
  });

  it('stands in the plan with its reason', () => {
    const steps = [...withForced(byAddress(given), allowed).values()];
    expect(check({ steps, allow: allowed })).toEqual(
      ['a', 'b'].map((address) => ({
        ...{ name: `force:${address}`, lifted: 'empty it', addresses: [address] },
        summary: `${address} would be deleted with everything in the ApiProduct, unmanaged objects included`,
      })),
    );
  });
});

describe('permissions', () => {
  const steps = many(3, 'delete');
  const settings = limits(1, 100);
  it.each<[string, GuardInput['allow'], object]>([
    ['none', [], {}],
    ['by name', [{ guard: 'maxDeletes', reason: 'agreed' }], { lifted: 'agreed' }],
    ['for another guard', [{ guard: 'emptyCatalogue', reason: 'agreed' }], {}],
    ['on the last day', [{ guard: 'maxDeletes', reason: 'agreed', until: '2026-06-01' }], { lifted: 'agreed' }],
    ['a day too late', [{ guard: 'maxDeletes', reason: 'agreed', until: '2026-05-31' }], { expired: '2026-05-31' }],
    [
      'renewed on the command line',
      [
        { guard: 'maxDeletes', reason: 'old', until: '2026-05-31' },
        { guard: 'maxDeletes', reason: 'new' },
      ],
      { lifted: 'new' },
    ],
  ])('%s', (_name, allow, expected) => {
    const [finding, ...rest] = check({ steps, settings: { ...settings, allow } });
    const { lifted, expired } = finding ?? {};
    expect(Object.keys(finding ?? {}).sort()).toEqual(
      ['addresses', 'name', 'summary', ...Object.keys(expected)].sort(),
    );
    expect(rest).toEqual([]);
    expect({ ...(lifted === undefined ? {} : { lifted }), ...(expired === undefined ? {} : { expired }) }).toEqual(
      expected,
    );
    expect(isBlocked(finding === undefined ? [] : [finding])).toBe(lifted === undefined);
  });

  it.each<[string, boolean]>([
    ...guardNames.map(({ name, of }): [string, boolean] => [of === undefined ? name : `${name}:x`, true]),
    ['delete', false],
    ['delete:', false],
    ['adopt:', false],
    ['maxDeletes:x', false],
    ['nonsense', false],
    ['', false],
  ])('"%s" is the name of a guard: %s', (name, expected) => {
    expect(isGuardName(name)).toBe(expected);
  });
});
