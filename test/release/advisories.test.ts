import { expect, it } from 'vitest';
import { findAdvisories } from '../../scripts/release/advisories.mjs';

const sbom = {
  components: [
    { name: 'undici', version: '7.30.2', purl: 'pkg:npm/undici@7.30.2', scope: 'required' },
    { group: '@octokit', name: 'core', version: '6.1.6', purl: 'pkg:npm/%40octokit/core@6.1.6', scope: 'required' },
    { name: 'edge', version: '2.0.0-rc.1', purl: 'pkg:npm/edge@2.0.0-rc.1', scope: 'optional' },
  ],
};

function record(name: string, affected: object, more: object = {}): object {
  return { id: 'GHSA-x', summary: 'words', affected: [{ package: { ecosystem: 'npm', name }, ...affected }], ...more };
}
const range = (...events: readonly object[]): object => ({ ranges: [{ type: 'SEMVER', events }] });

it.each([
  ['from the beginning, never mended', record('undici', range({ introduced: '0' })), 1],
  ['mended later', record('undici', range({ introduced: '7.0.0' }, { fixed: '7.30.3' })), 1],
  ['mended in this very version', record('undici', range({ introduced: '0' }, { fixed: '7.30.2' })), 0],
  ['this version is the last', record('undici', range({ introduced: '7.0.0' }, { last_affected: '7.30.2' })), 1],
  ['the last was before', record('undici', range({ introduced: '7.0.0' }, { last_affected: '7.30.1' })), 0],
  ['introduced later', record('undici', range({ introduced: '7.31.0' })), 0],
  ['introduced with this version', record('undici', range({ introduced: '7.30.2' })), 1],
  [
    'mended on an older line, open on this one, events in any order',
    record('undici', range({ fixed: '6.1.0' }, { introduced: '7.0.0' }, { introduced: '0' })),
    1,
  ],
  ['7.9 is before 7.30', record('undici', range({ introduced: '0' }, { fixed: '7.9.0' })), 0],
  ['a list of versions', record('undici', { versions: ['7.30.1', '7.30.2'] }), 1],
  ['another version in the list', record('undici', { versions: ['7.30.1'] }), 0],
  ['a package of a scope', record('@octokit/core', range({ introduced: '0' })), 1],
  ['the same name without its scope', record('core', range({ introduced: '0' })), 0],
  ['a release candidate before what mends it', record('edge', range({ introduced: '0' }, { fixed: '2.0.0' })), 1],
  ['withdrawn', record('undici', range({ introduced: '0' }), { withdrawn: '2026-01-01T00:00:00Z' }), 0],
  ['a list of records', [record('undici', range({ introduced: '0' })), record('edge', range({ introduced: '0' }))], 2],
  ['an answer of a service', { vulns: [record('undici', range({ introduced: '0' }))] }, 1],
  [
    'of another ecosystem',
    { id: 'x', affected: [{ package: { ecosystem: 'PyPI', name: 'undici' }, ...range({ introduced: '0' }) }] },
    0,
  ],
])('%s', (_what, given, hits) => {
  expect(findAdvisories(sbom, given).hits).toHaveLength(hits);
});

it.each([['a text'], [{}], [{ id: 'x' }], [[null]], [{ vulns: [{ affected: [] }] }]])(
  '%j is no record, and does not pass for one that does not apply',
  (given) => {
    expect(() => findAdvisories(sbom, given)).toThrow("not a record of OSV's format");
  },
);
