import type { ContentsInput } from '@platform-sync/engine/plan/contents';
import { describe, expect, it } from 'vitest';
import type { Step } from '@platform-sync/engine/plan/step';
import { cutMoves, selectSteps, withoutDeletes } from '@platform-sync/engine/plan/selection';
import { byAddress, step, record } from './worlds.js';

const dependsOn = (address: string, ...dependencies: readonly string[]) => ({
  recorded: record(address, { dependencies }),
});

/** api → api/doc → (a reference) tag; other stands alone. */
const world = (more: Partial<Record<string, Step['action']>> = {}): readonly Step[] => [
  step('api', more['api'] ?? 'update'),
  step('api/doc', more['api/doc'] ?? 'update', dependsOn('api/doc', 'api')),
  step('tag', more['tag'] ?? 'update', dependsOn('tag', 'api/doc')),
  step('other', more['other'] ?? 'update'),
];
const graph = new Map([
  ['api', []],
  ['api/doc', ['api']],
  ['tag', ['api/doc']],
  ['other', []],
]);

const nothing: ContentsInput = {
  state: { resources: new Map() } as unknown as ContentsInput['state'],
  snapshot: { readings: new Map() } as unknown as ContentsInput['snapshot'],
  types: new Map(),
};

describe('a part of a plan', () => {
  it.each<[string, readonly string[], readonly string[], readonly Step[], readonly string[]]>([
    ['all of it', [], [], world(), ['api', 'api/doc', 'tag', 'other']],
    ['a target brings what it needs', ['tag'], [], world(), ['api', 'api/doc', 'tag']],
    ['and what is nested in it', ['api'], [], world(), ['api', 'api/doc']],
    ['but not what needs it', ['api/doc'], [], world(), ['api', 'api/doc']],
    ['an end takes along what needs it', ['api'], [], world({ api: 'replace' }), ['api', 'api/doc', 'tag']],
    ['also one that comes in as a need', ['api/doc'], [], world({ api: 'delete' }), ['api', 'api/doc', 'tag']],
    ['an excluded one takes along what needs it', [], ['api/doc'], world(), ['api', 'other']],
    ['and what is nested in it', [], ['api'], world(), ['other']],
    ['what is excluded is not brought by an end', ['api'], ['tag'], world({ api: 'replace' }), ['api', 'api/doc']],
    ['a beginning of a key is no address above', ['a'], [], world(), []],
  ])('%s', (_name, targets, excludes, steps, expected) => {
    expect([...selectSteps(nothing, byAddress(steps), graph, targets, excludes).steps.keys()]).toEqual(expected);
  });

  const replaced = (action: Step['action']): readonly Step[] => [
    step('api', action),
    step('api~old', 'delete', { deposedOf: 'api' }),
  ];
  it.each<[Step['action'], readonly string[]]>([
    ['delete', ['api', 'api~old']],
    ['replace', ['api', 'api~old']],
    ['forget', ['api', 'api~old']],
    ['update', ['api']],
  ])('brings the end of what was replaced when its record goes, or is made anew: %s', (action, expected) => {
    expect([...selectSteps(nothing, byAddress(replaced(action)), graph, ['api'], []).steps.keys()]).toEqual(expected);
  });

  it.each<[Step['action'], readonly string[]]>([
    ['forget', []],
    ['update', ['api']],
  ])('without deletes leaves the record that alone knows of what was replaced: %s', (action, expected) => {
    expect([...withoutDeletes(byAddress(replaced(action)), graph).steps.keys()]).toEqual(expected);
  });

  const moving = [
    step('fresh', 'move', { movedFrom: 'old' }),
    step('gone', 'delete', dependsOn('gone', 'old')),
    step('kept', 'update', dependsOn('kept', 'old')),
  ];
  it.each<[string, readonly string[], readonly string[], readonly Step[], readonly string[]]>([
    ['what a resource needed that moves', ['gone'], [], moving, ['fresh', 'gone']],
    ['what needed one that moves', [], ['fresh'], moving, []],
    [
      'what needed one that moves and ends',
      ['fresh'],
      [],
      [step('fresh', 'replace', { movedFrom: 'old' }), ...moving.slice(1)],
      ['fresh', 'gone', 'kept'],
    ],
  ])('knows by its address of now %s', (_name, targets, excludes, steps, expected) => {
    expect([...selectSteps(nothing, byAddress(steps), new Map(), targets, excludes).steps.keys()]).toEqual(expected);
  });

  it('knows from the record what a resource needs that has left the catalogue', () => {
    const steps = [step('a', 'update'), step('b', 'delete', dependsOn('b', 'a'))];
    expect([...selectSteps(nothing, byAddress(steps), new Map(), ['b'], []).steps.keys()]).toEqual(['a', 'b']);
  });
});

describe('moves that a selection cuts in two', () => {
  const moved = (address: string, movedFrom: string, kind: 'import' | 'same-key' | 'alias' = 'same-key'): Step => ({
    ...step(address, 'move', { movedFrom }),
    reasons: [kind === 'import' ? { kind, id: 'x' } : { kind, from: movedFrom }],
  });
  const one = [moved('a', 'old')];
  const tree = [moved('a', 'old'), moved('a/b', 'old/b'), moved('a/b/c', 'old/b/c'), moved('ab', 'gone')];
  it.each<[string, readonly Step[], readonly string[], readonly string[], readonly string[]]>([
    ['nothing is selected', one, [], [], []],
    ['only its new address', one, ['a'], [], ['a']],
    ['only its old one', one, ['old'], [], ['a']],
    ['both', one, ['a', 'old'], [], []],
    ['neither', one, ['z'], [], []],
    ['its new address is left out', one, [], ['a'], ['a']],
    ['its old one is', one, [], ['old'], ['a']],
    ['both are', one, [], ['a', 'old'], []],
    ['another is', one, [], ['z'], []],
    ['its old address lies in what is selected', one, ['a', 'ol'], [], ['a']],
    ['below what is selected', [moved('a', 'old/b')], ['a', 'old'], [], []],
    ['an alias says both', [moved('a', 'old', 'alias')], ['a'], [], []],
    ['an import does not', [moved('a', 'old', 'import')], ['a'], [], ['a']],
    ['of a tree its top, and no neighbour', tree, ['a'], [], ['a']],
    ['nobody moves', [step('a', 'update')], ['a'], [], []],
  ])('%s', (_name, steps, targets, excludes, expected) => {
    const all = byAddress(steps);
    const selected = selectSteps(nothing, all, new Map(), targets, excludes).steps;
    const cut = cutMoves(all, selected, targets, excludes);
    expect(cut.map(({ address }) => address)).toEqual(expected);
  });
});
