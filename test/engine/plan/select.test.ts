import { describe, expect, it } from 'vitest';
import type { Proposal } from '../../../src/engine/plan/proposal.js';
import { selectProposals } from '../../../src/engine/plan/select.js';
import { byAddress, proposal, record } from './worlds.js';

const dependsOn = (address: string, ...dependencies: readonly string[]) => ({
  recorded: record(address, { dependencies }),
});

/** api → api/doc → (a reference) tag; other stands alone. */
const world = (more: Partial<Record<string, Proposal['action']>> = {}): readonly Proposal[] => [
  proposal('api', more['api'] ?? 'update'),
  proposal('api/doc', more['api/doc'] ?? 'update', dependsOn('api/doc', 'api')),
  proposal('tag', more['tag'] ?? 'update', dependsOn('tag', 'api/doc')),
  proposal('other', more['other'] ?? 'update'),
];
const graph = new Map([
  ['api', []],
  ['api/doc', ['api']],
  ['tag', ['api/doc']],
  ['other', []],
]);

describe('a part of a plan', () => {
  it.each<[string, readonly string[], readonly string[], readonly Proposal[], readonly string[]]>([
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
  ])('%s', (_name, targets, excludes, proposals, expected) => {
    expect([...selectProposals(byAddress(proposals), graph, targets, excludes).keys()]).toEqual(expected);
  });

  it('knows from the record what a resource needs that has left the catalogue', () => {
    const proposals = [proposal('a', 'update'), proposal('b', 'delete', dependsOn('b', 'a'))];
    expect([...selectProposals(byAddress(proposals), new Map(), ['b'], []).keys()]).toEqual(['a', 'b']);
  });
});
