import { describe, expect, it } from 'vitest';
import { realProgram, type RealProgram } from '../cli/real-program.js';

const files = {
  'sync.yaml': `project: shop
providers: {platform: {serverUrl: "https://gateway.example.com"}, cloud: {credentials: !env KEY}}
stacks:
  prod:
    providers: {platform: {serverUrl: "https://other.example.com"}}
    state: {backend: postgres, url: "postgres://db.example.com/x"}
    drift: {webhook: "https://hooks.example.com/secret-path"}
  default:
`,
  'catalogue/a.yaml': `resources:
  pets:
    type: platform:Api
    properties:
      description: !lookup {function: platform:getTeam, arguments: {filter: {name: {eq: !env TEAM}}}, return: id}
`,
};
const env = { TEAM: 'canary-team', KEY: 'canary-key', PLATFORM_TOKEN: 'canary-token' };

async function checked(
  more: Readonly<Record<string, string>>,
): Promise<Awaited<ReturnType<RealProgram['run']>> & { readonly url: string }> {
  const program = await realProgram({ ...env, ...more });
  try {
    await program.write(files);
    const ran = await program.run('policy', 'check', '--format', 'json');
    // Looking makes neither state nor request.
    expect([...(await program.files()).keys()].sort()).toEqual(['catalogue/a.yaml', 'sync.yaml']);
    return { ...ran, url: program.url };
  } finally {
    await program.close();
  }
}

interface Finding {
  readonly stack: string;
  readonly from: string;
  readonly to: string;
  readonly isAllowed: boolean;
  readonly hint?: string;
}

const lines = (out: string): readonly string[] =>
  (JSON.parse(out) as { findings: Finding[] }).findings.map(
    ({ stack, from, to, isAllowed }) => `${isAllowed ? '+' : '-'} ${stack} ${from} ${to}`,
  );

describe('sync policy check', () => {
  it('says of every stack what it could do, and what of it is refused', async () => {
    const { code, out } = await checked({});
    expect(code).toBe(1);
    expect(lines(out)).toEqual(
      expect.arrayContaining([
        '- default providers.platform.serverUrl https://gateway.example.com',
        '- prod providers.platform.serverUrl https://other.example.com',
        '- prod state.url postgres://db.example.com',
        '- prod drift.webhook https://hooks.example.com',
        '- default catalogue/a.yaml:5:28 TEAM',
        '+ default the catalogue TEAM',
        '+ default providers.cloud.credentials KEY',
      ]),
    );
    expect(out).not.toMatch(/canary|secret-path/);
  });

  it('finds nothing left when the policy lists it all, with the very lines it gave', async () => {
    const first = JSON.parse((await checked({})).out) as { findings: Finding[] };
    const policies = first.findings.flatMap(({ hint = '' }) => {
      const [, text] = /SYNC_POLICY='(.*)'$/.exec(hint) ?? [];
      return text === undefined ? [] : [JSON.parse(text) as Record<string, string[] | { platform: string[] }>];
    });
    const merged = policies.reduce<Record<string, unknown>>((all, one) => ({ ...all, ...one }), {});
    const hosts = { platform: ['gateway.example.com', 'other.example.com'] };
    const { code, out } = await checked({ SYNC_POLICY: JSON.stringify({ ...merged, hosts }) });
    expect([code, lines(out).filter((line) => line.startsWith('-'))]).toEqual([0, []]);
  });
});
