import path from 'node:path';
import { writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { loadCatalogue } from '@platform-sync/catalogue/load';
import type { Diagnostic } from '@platform-sync/core/model/diagnostic';
import { loadProjectConfig, type ProjectOptions } from '@platform-sync/catalogue/project/project-file';
import { evaluate } from '@platform-sync/core/resolve/evaluate';
import { providerPackages } from '@platform-sync/sdk/registry';
import { plain } from './plain.js';
import { scratchFolder } from './scratch-project.js';

type Given = Partial<Pick<ProjectOptions, 'stack' | 'env' | 'vars' | 'isOtherCommit'>> & { readonly file?: string };

const settings = `
project: shop
parameters:
  region: { default: eu, allowed: [eu, us], description: where it runs }
  size: { type: number, default: 1 }
  open: { type: boolean, default: false }
  teams: { type: list, default: [] }
  labels: { type: map, default: {} }
  token: { secret: true, default: !env TOKEN }
stacks:
  prod: { parameters: { region: us, size: 3, labels: { tier: gold } } }
  default:
`;
const catalogue = `
variables: {where: "\${project}-\${stack}-\${param.region}", all: ["\${param.size}", "\${param.open}", "\${param.teams}", "\${param.labels}", "\${param.token}"]}
resources: {}
`;

async function load(
  yaml: string,
  text = catalogue,
  { file, ...given }: Given = {},
): Promise<{ root: string; diagnostics: readonly Diagnostic[]; values: Readonly<Record<string, unknown>> }> {
  const root = scratchFolder({ 'sync.yaml': yaml, 'catalogue/main.yaml': text });
  const files = file === undefined ? {} : { varFiles: [path.join(root, 'values.yaml')] };
  if (file !== undefined) writeFileSync(path.join(root, 'values.yaml'), file);
  const reads = { env: { TOKEN: 'canary' }, packages: providerPackages };
  const { config, diagnostics } = await loadProjectConfig(root, { ...reads, ...given, ...files });
  if (config === undefined) return { root, diagnostics, values: {} };
  const loaded = await loadCatalogue(config, { ...reads, ...given });
  const values = [...(loaded.desired?.parameters ?? [])].map(([name, value]) => [name, plain(value)] as const);
  return { root, diagnostics: [...diagnostics, ...loaded.diagnostics], values: Object.fromEntries(values) };
}

const token = { $secret: '!env TOKEN', value: 'canary' };
const defaults = { region: 'eu', size: 1, open: false, teams: [], labels: {}, token };

describe('parameters', () => {
  it.each<[string, Given, object]>([
    ['by default', {}, {}],
    ['of a stack', { stack: 'prod' }, { region: 'us', size: 3, labels: { tier: 'gold' } }],
    [
      'of the environment, over the stack',
      { stack: 'prod', env: { TOKEN: 'canary', SYNC_VAR_SIZE: '9', SYNC_VAR_UNKNOWN: 'x' } },
      { region: 'us', size: 9, labels: { tier: 'gold' } },
    ],
    [
      'of a file, over the environment',
      { env: { TOKEN: 'canary', SYNC_VAR_SIZE: '9' }, file: 'size: 5\nteams: [a, b]\n' },
      { size: 5, teams: ['a', 'b'] },
    ],
    [
      'of the command line, over all',
      { vars: { size: '7', open: 'true', teams: '["c"]', labels: '{"a":"b"}' }, file: 'size: 5\n' },
      { size: 7, open: true, teams: ['c'], labels: { a: 'b' } },
    ],
    [
      'that are secret, however they are given',
      { env: { SYNC_VAR_TOKEN: 'other' } },
      { token: { $secret: 'param.token', value: 'other' } },
    ],
    ['that are not declared, of another commit', { vars: { nothing: '1' }, isOtherCommit: true }, {}],
  ])('take values %s', async (_name, given, expected) => {
    const { values, diagnostics } = await load(settings, catalogue, given);
    expect(diagnostics).toEqual([]);
    expect(values).toEqual({ ...defaults, ...expected });
  });

  it('keep their types in references, and are text inside of text', async () => {
    const root = scratchFolder({ 'sync.yaml': settings, 'catalogue/main.yaml': catalogue });
    const reads = { env: { TOKEN: 'canary' }, packages: providerPackages };
    const { config } = await loadProjectConfig(root, { ...reads, stack: 'prod' });
    if (config === undefined) throw new Error('no config');
    const { desired } = await loadCatalogue(config, reads);
    const scope = {
      property: () => null,
      lookup: () => null,
      variable: (name: string) => {
        const value = desired?.variables.get(name);
        return value === undefined ? null : evaluate(value, scope);
      },
    };
    expect(scope.variable('where')).toBe('shop-prod-us');
    expect(scope.variable('all')).toMatchObject([3, false, [], { tier: 'gold' }, { expression: '!env TOKEN' }]);
  });

  it.each<[string, string, Given, string, string, string]>([
    ['of the wrong type', 'size', { vars: { size: 'big' } }, 'sync.yaml:5:3 bad-parameter', 'given by --var', ''],
    ['not allowed', 'region', { vars: { region: 'ues' } }, 'sync.yaml:4:3 bad-parameter', 'one of the allowed', 'us'],
    [
      'wrong in the environment',
      'open',
      { env: { TOKEN: 'canary', SYNC_VAR_OPEN: 'yes' } },
      'sync.yaml:6:3 bad-parameter',
      'SYNC_VAR_OPEN',
      '',
    ],
    ['wrong in a file', 'size', { file: '\nsize: big\n' }, 'values.yaml:2:7 bad-parameter', 'must be a number', ''],
    ['unknown in a file', 'sise', { file: 'sise: 2\n' }, 'values.yaml:1:1 unknown-parameter', 'sise', 'size'],
    ['unknown on the command line', 'sise', { vars: { sise: '2' } }, ' unknown-parameter', 'sise', 'size'],
    [
      'secret on the command line',
      'token',
      { vars: { token: 'canary-2' } },
      'sync.yaml:9:3 literal-secret',
      '--var shows it',
      'SYNC_VAR_TOKEN',
    ],
    ['secret and unset', 'token', { env: {} }, 'sync.yaml:9:40 unset-variable', 'TOKEN', 'Set TOKEN'],
  ])('refuse a value that is %s', async (_name, _parameter, given, where, summary, hint) => {
    const { diagnostics } = await load(settings, catalogue, given);
    expect(diagnostics).toHaveLength(1);
    const [found] = diagnostics;
    const place = found?.place === undefined ? '' : `${found.place.file}:${found.place.line}:${found.place.column}`;
    expect(`${place} ${found?.code ?? ''}`).toBe(where);
    expect(found?.summary).toContain(summary);
    expect(`${found?.detail ?? ''} ${found?.hint ?? ''}`).toContain(hint);
    expect(JSON.stringify(diagnostics)).not.toContain('canary');
  });

  it('without a value are told with every way to give one, where the catalogue is read only', async () => {
    const yaml = 'project: shop\nparameters: {api-region: }\n';
    const root = scratchFolder({ 'sync.yaml': yaml, 'catalogue/main.yaml': 'resources: {}\n' });
    const { config, diagnostics } = await loadProjectConfig(root, { env: {}, packages: providerPackages });
    expect(diagnostics).toEqual([]);
    expect(config?.parameters?.problems).toMatchObject([{ code: 'missing-parameter', place: { line: 2, column: 14 } }]);
    const { hint = '' } = config?.parameters?.problems[0] ?? {};
    for (const way of [
      '--var api-region=',
      '--var-file',
      'SYNC_VAR_API_REGION',
      'stacks.default.parameters',
      'default',
    ])
      expect(hint).toContain(way);
    expect((await load(yaml, 'outputs: {a: "${param.api-region}"}\n')).diagnostics.map(({ code }) => code)).toEqual([
      'missing-parameter',
    ]);
  });

  it('need no variable that only other stacks or other values use', async () => {
    const { diagnostics } = await load(
      'project: shop\nparameters: {a: {default: !env NOT_SET}}\nstacks: {prod: {parameters: {a: !env NOT_SET_EITHER}}, default: }\n',
      'outputs: {a: "${param.a}"}\n',
      { vars: { a: 'x' } },
    );
    expect(diagnostics).toEqual([]);
  });
});
