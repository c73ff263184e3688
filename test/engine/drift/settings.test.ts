import { describe, expect, it } from 'vitest';
import { loadProjectConfig, type LoadedProject } from '@platform-sync/catalogue/project/project-file';
import { providerPackages } from '@platform-sync/sdk/registry';
import { scratchFolder, type Env } from '../catalogue/scratch-project.js';

function read(drift: string, env: Env = {}, stack?: string): Promise<LoadedProject> {
  const root = scratchFolder({ 'sync.yaml': `project: shop\n${drift}` });
  return loadProjectConfig(root, { env, packages: providerPackages, ...(stack === undefined ? {} : { stack }) });
}

const codes = ({ diagnostics }: LoadedProject): readonly string[] => diagnostics.map(({ code }) => code);

describe('drift in sync.yaml', () => {
  it('may be left out', async () => {
    expect((await read('')).config?.drift).toBeUndefined();
  });

  it('is read with its environment', async () => {
    const { config, diagnostics } = await read(
      `drift:
  severity: {status: medium, Api.deleted: low}
  ignore:
    - {address: pets/*, field: labels.team, reason: ticket 42, until: 2030-01-31}
  webhook: !env HOOK
  format: slack
  secret: !env KEY
`,
      { HOOK: 'https://hooks.example.com/x', KEY: 'k' },
    );
    expect(diagnostics).toEqual([]);
    expect(config?.drift).toEqual({
      severity: { status: 'medium', 'Api.deleted': 'low' },
      ignore: [
        {
          ...{ address: 'pets/*', field: 'labels.team', reason: 'ticket 42', until: '2030-01-31' },
          source: 'sync.yaml:5:7',
        },
      ],
      webhook: 'https://hooks.example.com/x',
      format: 'slack',
      secret: 'k',
      unset: [],
    });
  });

  it('may name variables that only the drift job has', async () => {
    const { config, diagnostics } = await read('drift: {webhook: !env HOOK, secret: !env KEY}\n');
    expect(diagnostics).toEqual([]);
    expect(config?.drift?.unset).toEqual(['drift.webhook', 'drift.secret']);
    expect(config?.drift?.webhook).toBeUndefined();
  });

  it('can be another one in a stack', async () => {
    const text = 'drift: {format: slack, severity: {title: low}}\nstacks: {prod: {drift: {severity: {title: high}}}}\n';
    expect((await read(text, {}, 'prod')).config?.drift).toMatchObject({
      format: 'slack',
      severity: { title: 'high' },
    });
  });

  it.each([
    ['an unknown key', 'drift: {hook: x}', 'unknown-key'],
    ['an unknown severity', 'drift: {severity: {title: huge}}', 'not-allowed'],
    ['an unknown format', 'drift: {format: xml}', 'not-allowed'],
    ['plain HTTP', 'drift: {webhook: "http://example.com/canary"}', 'bad-setting'],
    ['a host that looks like this machine', 'drift: {webhook: "http://127.0.0.1.example.com/"}', 'bad-setting'],
    ['no URL', 'drift: {webhook: canary}', 'bad-setting'],
    ['a key in plain text', 'drift: {secret: canary}', 'literal-secret'],
    ['a rule without a reason', 'drift: {ignore: [{address: pets}]}', 'missing-setting'],
    ['a rule without an address', 'drift: {ignore: [{reason: x}]}', 'missing-setting'],
    ['a rule with a typing error', 'drift: {ignore: [{address: pets, reason: x, untl: 2030-01-31}]}', 'unknown-key'],
    ['a day that does not exist', 'drift: {ignore: [{address: pets, reason: x, until: 2030-02-30}]}', 'bad-setting'],
    ['a list that is none', 'drift: {ignore: {address: pets}}', 'wrong-type'],
  ])('refuses %s, and quotes no secret', async (_name, text, code) => {
    const loaded = await read(`${text}\n`);
    expect(codes(loaded)).toEqual([code]);
    expect(JSON.stringify(loaded.diagnostics)).not.toContain('canary');
  });

  it.each(['https://hooks.example.com/x', 'http://127.0.0.1:9/x', 'http://localhost:9/x', 'http://[::1]:9/x'])(
    'takes the webhook %s',
    async (url) => {
      expect((await read(`drift: {webhook: "${url}"}\n`)).config?.drift?.webhook).toBe(url);
    },
  );
});
