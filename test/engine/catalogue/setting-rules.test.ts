import { describe, expect, it } from 'vitest';
import { loadProjectConfig } from '@platform-sync/catalogue/project/project-file';
import { providerPackages } from '@platform-sync/sdk/registry';
import { scratchFolder } from './scratch-project.js';

/** Where a value goes, and what may not stand there. */
const places: readonly (readonly [setting: string, before: string, after: string, wrong: readonly string[]])[] = [
  ['project', 'project: ', '', ['7', '""', '[]', '!env SET', 'My Shop']],
  ['catalogue', 'project: shop\ncatalogue: ', '', ['7', '""', '{a: b}', 'true', '+(a)/*.yaml']],
  ['a pattern', 'project: shop\noverlays: [a/*.yaml, ', ']', ['7', '""', '{a: b}', 'null', '"a{1..9}.yaml"']],
  ['state', 'project: shop\nstate: ', '', ['here.db', '[]']],
  ['state.backend', 'project: shop\nstate: {backend: ', '}', ['mysql', '7', 'null']],
  ['state.path', 'project: shop\nstate: {path: ', '}', ['7', '""', 'null', '!env SET']],
  ['state.url', 'project: shop\nstate: {backend: postgres, url: ', '}', ['7', '[]', 'db/sync']],
  ['concurrency', 'project: shop\nconcurrency: ', '', ['0', '257', '1.5', 'many', 'null', '!env SET']],
  ['timing.retries', 'project: shop\ntiming: {retries: ', '}', ['-1', '21', '0.5', 'often', '[]']],
  ['guards.allow', 'project: shop\nguards: {allow: ', '}', ['7', '{a: b}', 'maxDeletes']],
  ['a guard', 'project: shop\nguards: {allow: [{reason: x, guard: ', '}]}', ['7', '""', 'maxDelete']],
  ['adopt', 'project: shop\nadopt: ', '', ['bykey', '7', 'null']],
  ['labels', 'project: shop\nlabels: ', '', ['all', '7', '[]']],
  ['labels.foreign', 'project: shop\nlabels: {foreign: [a-, ', ']}', ['7', '""', '[]']],
  ['drift.severity', 'project: shop\ndrift: {severity: {deleted: ', '}}', ['urgent', '7', 'null']],
  ['drift.ignore', 'project: shop\ndrift: {ignore: [{reason: x, address: ', '}]}', ['7', '""', '[]']],
  ['drift.unmanaged', 'project: shop\ndrift: {unmanaged: ', '}', ['7', 'some', '{a: b}']],
  ['drift.webhook', 'project: shop\ndrift: {webhook: ', '}', ['7', '[]', 'http://example.com']],
  ['a parameter', 'project: shop\nparameters: {region: ', '}', ['eu', '7', '[]']],
  ['a type', 'project: shop\nparameters: {region: {type: ', '}}', ['text', '7', '""']],
  ['a stack', 'project: shop\nstacks: {prod: ', ', default: }', ['eu', '7', '[]']],
  ['of a stack', 'project: shop\nstacks: {prod: {timing: {retries: ', '}}, default: }', ['often', '21', 'null']],
  ['a provider', 'project: shop\nproviders: {platform: ', '}', ['eu', '7', '[]']],
];

describe('what the schema of sync.yaml forbids', () => {
  const cases = places.flatMap(([setting, before, after, wrong]) =>
    wrong.map((value) => [setting, value, before, after] as const),
  );

  it.each(cases)('%s: %s is told once, where it stands', async (_setting, value, before, after) => {
    const root = scratchFolder({ 'sync.yaml': `${before}${value}${after}\n` });
    const { config, diagnostics } = await loadProjectConfig(root, {
      env: { SET: 'canary' },
      packages: providerPackages,
    });
    expect(config).toBeUndefined();
    const lines = before.split('\n');
    // `!env NAME` stands where the name is.
    const column = (lines.at(-1) ?? '').length + 1 + (value.startsWith('!env') ? '!env '.length : 0);
    expect(diagnostics.map(({ place }) => [place?.line, place?.column])).toEqual([[lines.length, column]]);
    expect(diagnostics[0]?.summary).toMatch(/^\S.* (must be|can't be|is) .*\.$|^There is no /);
    expect(JSON.stringify(diagnostics)).not.toContain('canary');
  });

  it('a key that is unset is none, and one that nobody knows is told all the same', async () => {
    const read = (yaml: string) =>
      loadProjectConfig(scratchFolder({ 'sync.yaml': yaml }), { env: {}, packages: providerPackages });
    const unset = await read(
      'project: shop\nconcurrency: !unset\nparameters: {p: !unset}\nstacks: {prod: {timing: !unset}, default: }\n',
    );
    expect(unset.diagnostics).toEqual([]);
    const misspelt = await read('project: shop\nconcurency: !unset\nstacks: {prod: {timings: !unset}, default: }\n');
    expect(misspelt.diagnostics.map(({ code, place }) => [code, place?.line])).toEqual([
      ['unknown-key', 2],
      ['unknown-key', 3],
    ]);
  });
});
