import { describe, expect, it } from 'vitest';
import { guardNames, isGuardName } from '../../../src/engine/model/guard-names.js';
import type { Reading } from '../../../src/engine/model/snapshot.js';
import { checkGuards, isBlocked, type GuardInput } from '../../../src/engine/plan/guard.js';
import type { Proposal } from '../../../src/engine/plan/proposal.js';
import { withForced } from '../../../src/engine/plan/force-guard.js';
import { byAddress, changing, proposal, record, state } from './worlds.js';

const many = (count: number, action: Proposal['action'], shape = {}): readonly Proposal[] =>
  Array.from({ length: count }, (_, at) => proposal(`${action}${at}`, action, shape));

function check(given: Partial<GuardInput>): ReturnType<typeof checkGuards> {
  const proposals = given.proposals ?? [];
  const records = proposals.flatMap(({ recorded }) => recorded ?? []);
  return checkGuards({
    ...{ mode: 'apply', desiredCount: 1, targets: {}, allow: [], today: '2026-06-01' },
    state: state(records),
    snapshot: { readings: new Map(), found: new Map(), listed: [], unmanaged: [], unread: [], uncertain: new Map() },
    settings: { maxDeletes: 10, maxDeletePercent: 100, allow: [] },
    along: [],
    types: new Map(),
    ...given,
    proposals,
  });
}

const names = (given: Partial<GuardInput>): readonly string[] => check(given).map(({ name }) => name);
const limits = (maxDeletes: number, maxDeletePercent: number, maxUpdatePercent?: number): GuardInput['settings'] => ({
  ...{ maxDeletes, maxDeletePercent, allow: [] },
  ...(maxUpdatePercent === undefined ? {} : { maxUpdatePercent }),
});
const changed = { decisions: [changing('ApiProduct', 'description', 'new')] };

describe('guards on deletes', () => {
  it.each<[string, Partial<GuardInput>, readonly string[]]>([
    ['as many as allowed', { proposals: many(2, 'delete'), settings: limits(2, 100) }, []],
    ['one more', { proposals: many(3, 'delete'), settings: limits(2, 100) }, ['maxDeletes']],
    ['replacements are deletes', { proposals: many(3, 'replace'), settings: limits(2, 100) }, ['maxDeletes']],
    [
      'both together',
      { proposals: [...many(1, 'replace'), ...many(1, 'delete')], settings: limits(1, 100) },
      ['maxDeletes'],
    ],
    ['none is allowed, one is meant', { proposals: many(1, 'delete'), settings: limits(0, 100) }, ['maxDeletes']],
    ['a single one has no share', { proposals: many(1, 'delete'), settings: limits(10, 0) }, []],
    ['two have one', { proposals: many(2, 'delete'), settings: limits(10, 99) }, ['maxDeletePercent']],
    ['two replacements have one', { proposals: many(2, 'replace'), settings: limits(10, 99) }, ['maxDeletePercent']],
    [
      'just the share that is allowed',
      { proposals: [...many(2, 'delete'), ...many(8, 'none')], settings: limits(10, 20) },
      [],
    ],
    [
      'a little more',
      { proposals: [...many(2, 'delete'), ...many(7, 'none')], settings: limits(10, 20) },
      ['maxDeletePercent'],
    ],
    ['destroy is meant', { mode: 'destroy', proposals: many(9, 'delete'), settings: limits(1, 1) }, []],
    ['forgetting deletes nothing', { proposals: many(9, 'forget'), settings: limits(1, 1) }, []],
    ['what is only adopted, too', { proposals: many(9, 'adopt'), settings: limits(1, 1) }, []],
  ])('%s', (_name, given, expected) => {
    expect(names(given)).toEqual(expected);
  });

  it('an old object that is still to be deleted is one of all that there are', () => {
    const [replaced, ended] = [...many(1, 'replace'), ...many(1, 'delete')];
    if (replaced?.recorded === undefined || ended === undefined) throw new Error('nothing to replace');
    const old = { identity: { id: 'old', scope: {} }, outputs: {} };
    const records = [{ ...replaced.recorded, deposed: [old] }];
    const given = { proposals: [replaced, { ...ended, deposedOf: replaced.address }], state: state(records) };
    expect(names({ ...given, settings: limits(10, 100) })).toEqual([]);
    expect(check({ ...given, settings: limits(10, 99) })[0]?.summary).toContain('among 2 managed resources (100 %)');
  });

  it('says how many of them are in replacements', () => {
    const proposals = [...many(2, 'replace'), ...many(1, 'delete')];
    expect(check({ proposals, settings: limits(1, 100) })[0]?.summary).toBe(
      '3 deletes (2 in replacements), more than maxDeletes: 1',
    );
  });
});

describe('the guard on updates', () => {
  it.each<[string, readonly Proposal[], number | undefined, readonly string[]]>([
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
  ])('%s', (_name, proposals, percent, expected) => {
    expect(names({ proposals, settings: limits(100, 100, percent) })).toEqual(expected);
  });
});

describe('protection', () => {
  const kept = (address: string, more = {}) => record(address, { protect: true, ...more });
  it.each<[string, readonly Proposal[], readonly string[]]>([
    ['its block is gone', [proposal('a', 'delete', { recorded: kept('a') })], ['delete:a']],
    ['it would be replaced', [proposal('a', 'replace', { options: { protect: true } })], ['replace:a']],
    ['lifting it in the same plan does not count', [proposal('a', 'replace', { recorded: kept('a') })], ['replace:a']],
    ['it moves along', [proposal('b', 'replace', { movedFrom: 'a', recorded: kept('a') })], ['replace:b']],
    ['an update is fine', [proposal('a', 'update', { recorded: kept('a') })], []],
    ['forgetting is fine', [proposal('a', 'forget', { recorded: kept('a') })], []],
    ['nobody protects it', [proposal('a', 'delete')], []],
    [
      'what it lives in is protected',
      [proposal('a', 'none', { recorded: kept('a'), options: { protect: true } }), proposal('a/b', 'delete')],
      ['delete:a/b'],
    ],
    [
      'and two levels up',
      [proposal('a', 'none', { recorded: kept('a'), options: { protect: true } }), proposal('a/b/c', 'delete')],
      ['delete:a/b/c'],
    ],
    [
      'a neighbour with the same beginning is not above it',
      [proposal('a', 'none', { recorded: kept('a'), options: { protect: true } }), proposal('ab', 'delete')],
      [],
    ],
    [
      'it lives there by its id, not by its address',
      [
        proposal('a', 'none', { recorded: kept('a'), options: { protect: true } }),
        proposal('page', 'delete', {
          recorded: record('page', { identity: { id: 'p', scope: { apiProductId: 'id of a' } } }),
        }),
      ],
      ['delete:page'],
    ],
    [
      'the old object of what is protected',
      [
        proposal('a', 'none', { recorded: kept('a'), options: { protect: true } }),
        proposal('a~old', 'delete', { deposedOf: 'a', recorded: record('a~old') }),
      ],
      ['delete:a~old'],
    ],
  ])('%s', (_name, proposals, expected) => {
    expect(names({ proposals, settings: limits(100, 100) })).toEqual(expected);
  });

  it('of a resource that a partial plan leaves out reaches what lives in it', () => {
    const child = proposal('a/b', 'delete');
    const records = [kept('a'), ...(child.recorded === undefined ? [] : [child.recorded])];
    expect(names({ proposals: [child], state: state(records) })).toEqual(['delete:a/b']);
  });
});

describe('adopting what differs', () => {
  it.each<[string, Partial<Proposal>, readonly string[]]>([
    ['in a fixed field is held back', { decisions: [changing('Api', 'specContent', 'b', 'replace')] }, ['fixed:a']],
    ['in others is an update', { decisions: [changing('Api', 'description', 'b')] }, []],
    ['in nothing', {}, []],
  ])('%s', (_name, more, expected) => {
    expect(names({ proposals: [{ ...proposal('a', 'adopt', { kind: 'Api' }), ...more }] })).toEqual(expected);
  });
});

describe('an adoption by key with a difference in a fixed field', () => {
  const taken: Proposal = {
    ...proposal('a', 'adopt', { kind: 'Api' }),
    decisions: [changing('Api', 'specContent', 'b', 'replace')],
    reasons: [{ kind: 'key-exists', id: '1' }],
  };
  const held = (...allow: GuardInput['allow']): readonly string[] =>
    check({ proposals: [taken], allow }).flatMap(({ name, lifted }) => (lifted === undefined ? [name] : []));
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
    ['an empty catalogue over a state', { proposals: many(1, 'none'), desiredCount: 0 }, ['emptyCatalogue']],
    ['an empty catalogue over nothing', { desiredCount: 0 }, []],
    ['destroy asks for it', { mode: 'destroy', proposals: many(1, 'none'), desiredCount: 0 }, []],
    ['all are gone', { proposals: many(2, 'none'), snapshot: snapshotOf('gone', 'gone') }, ['everythingGone']],
    ['one is there', { proposals: many(2, 'none'), snapshot: snapshotOf('gone', 'found') }, []],
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
  const many20 = (action: Proposal['action']) => [...many(3, action, changed), ...many(17, 'none')];
  const words = (given: Partial<GuardInput>): readonly object[] => check({ settings, ...given }).map((one) => one);
  it.each<[string, Partial<GuardInput>, readonly object[]]>([
    [
      'of too many deletes',
      { proposals: many20('delete') },
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
      { proposals: many(1, 'delete') },
      [{ name: 'maxDeletes', summary: '1 delete, more than maxDeletes: 0', addresses: ['delete0'] }],
    ],
    [
      'of too many updates',
      { proposals: many20('update') },
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
      { proposals: many(2, 'delete'), state: state([]), settings: limits(5, 10) },
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
      { proposals: many(2, 'none'), desiredCount: 0 },
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
      { proposals: many(1, 'none'), desiredCount: 0 },
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
      { proposals: many(2, 'none'), snapshot: snapshotOf('gone', 'gone') },
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
      'of what can not be made right',
      {
        proposals: [
          {
            ...proposal('a', 'adopt', { kind: 'Api' }),
            decisions: [
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
      { proposals: [proposal('a', 'create')], adopt: 'byKey' },
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
      { proposals: [proposal('a', 'replace', { options: { protect: true } })], settings: limits(9, 100) },
      [{ name: 'replace:a', summary: 'a is protected and would be replaced', addresses: ['a'] }],
    ],
    [
      'of what was protected until now',
      {
        proposals: [
          proposal('a', 'none', { recorded: record('a', { protect: true }) }),
          proposal('a/b', 'delete', { recorded: record('a/b') }),
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
        proposals: [
          proposal('a', 'none', { recorded: record('a', { protect: true }), options: { protect: true } }),
          proposal('a/b', 'delete', { recorded: record('a/b') }),
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
    [
      'without kept state, of what a key finds',
      { proposals: [proposal('a', 'create', { kind: 'Api' })], adopt: 'byKey' },
    ],
    ['with a record', { proposals: [proposal('a', 'create'), ...many(1, 'none')], adopt: 'byKey' }],
    ['where state is kept', { proposals: [proposal('a', 'create')] }],
    ['of what is not made', { proposals: [proposal('a', 'adopt')], adopt: 'byKey' }],
    [
      'of everything gone while all is destroyed',
      { mode: 'destroy', proposals: many(1, 'none'), snapshot: snapshotOf('gone') },
    ],
    [
      'of a replacement, which makes it right',
      {
        proposals: [
          { ...proposal('a', 'replace', { kind: 'Api' }), decisions: [changing('Api', 'version', 'd', 'replace')] },
        ],
        settings: limits(9, 100),
      },
    ],
    ['of everything gone where nothing was read', { proposals: many(1, 'none') }],
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
    `the platform says that ${address} does not exist, and shows what lives in it; lifted, both are left alone and the rest goes ahead`;

  it.each<Proposal['action']>(['create', 'update', 'delete', 'options'])(
    'holds back a plan with a step: %s',
    (action) => {
      const proposals = [...many(1, 'none'), proposal('x', action), ...many(1, 'not-compared')];
      expect(check({ proposals, snapshot: snapshot(readings) })).toEqual([
        { name: 'contradiction:s', summary: summary('s'), addresses: ['s/b', 's/z'] },
        { name: 'contradiction:u', summary: summary('u'), addresses: ['t'] },
      ]);
    },
  );

  it('holds back nothing where nothing is to be done, or nobody was denied', () => {
    const idle = [...many(2, 'none'), ...many(2, 'not-compared')];
    expect(names({ proposals: idle, snapshot: snapshot(readings) })).toEqual([]);
    const { v, w } = readings;
    expect(names({ proposals: many(1, 'update'), snapshot: snapshot({ v, w }) })).toEqual([]);
  });
});

describe('a delete that is forced', () => {
  const forcible = (address: string, action: Proposal['action'], isForcible = true): Proposal => {
    const one = proposal(address, action);
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
    const proposals = [...withForced(byAddress(given), allowed).values()];
    expect(check({ proposals, allow: allowed })).toEqual(
      ['a', 'b'].map((address) => ({
        ...{ name: `force:${address}`, lifted: 'empty it', addresses: [address] },
        summary: `${address} would be deleted with everything in the ApiProduct, unmanaged objects included`,
      })),
    );
  });
});

describe('permissions', () => {
  const proposals = many(3, 'delete');
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
    const [finding, ...rest] = check({ proposals, settings: { ...settings, allow } });
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
