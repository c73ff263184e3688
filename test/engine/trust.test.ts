import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { isData } from '@platform-sync/catalogue/read/file-texts';
import type { ProjectConfig } from '@platform-sync/core/model/project';
import type { Sending } from '@platform-sync/core/model/trust';
import { secret } from '@platform-sync/core/model/value';
import { allowingLine, listsHost, reasonFor, reasons, refusal } from '@platform-sync/engine/trust/may-send';
import { secretsThatStay } from '@platform-sync/engine/trust/lookups';
import { stateLeaves } from '@platform-sync/engine/trust/paths';
import { isInFolders, noPermissions, readPermissions } from '@platform-sync/engine/trust/permissions';
import { chooserOf } from '@platform-sync/engine/trust/project-trust';
import { isPlaced, stateSending } from '@platform-sync/engine/trust/state-place';
import { readSchema } from '../schemas/format-problems.js';

const sending: Sending = {
  sender: 'platform',
  what: "the platform's token",
  to: 'https://gateway.example.com',
  setting: 'providers.platform.serverUrl',
  chosenBy: 'tree',
  isOwn: false,
};

describe('a secret may go to an address', () => {
  const rows: readonly (readonly [keyof typeof reasons, Parameters<typeof reasonFor>])[] = [
    ['the operator named it', [{ ...sending, chosenBy: 'operator' }, noPermissions]],
    ['it is a host of the service itself', [{ ...sending, isOwn: true }, noPermissions]],
    ['it is this machine', [{ ...sending, to: 'http://127.0.0.1:8080' }, noPermissions]],
    ['the environment names the same', [{ ...sending, variable: { name: 'A', address: sending.to } }, noPermissions]],
    ['the permissions list it', [sending, { ...noPermissions, hosts: { platform: ['gateway.example.com'] } }]],
    ['this stack was applied to it', [sending, noPermissions, { target: sending.to, isPlaced: true }]],
  ];

  it.each(rows)('because %s', (reason, given) => {
    expect(reasonFor(...given)).toBe(reason);
  });

  it('for no other reason', () => {
    expect(rows.map(([reason]) => reason).sort()).toEqual(Object.keys(reasons).sort());
    expect(reasonFor(sending, noPermissions)).toBeUndefined();
    expect(reasonFor(sending, noPermissions, { target: sending.to, isPlaced: false })).toBeUndefined();
    expect(reasonFor({ ...sending, to: 'http://127.0.0.1:1' }, { ...noPermissions, loopback: false })).toBeUndefined();
    expect(reasonFor({ ...sending, sender: 'constructor' }, noPermissions)).toBeUndefined();
  });

  it('or is refused with the setting, the host and the line that allows it', () => {
    const told = refusal({ ...sending, variable: { name: 'PLATFORM_SERVER_URL' } });
    expect(told).toMatchObject({ code: 'address-not-trusted', severity: 'error' });
    expect(told.summary).toContain('providers.platform.serverUrl names gateway.example.com');
    expect(told.hint).toContain('PLATFORM_SERVER_URL=https://gateway.example.com');
    expect(refusal(sending, { target: 'https://other.example.com', isPlaced: true }).code).toBe('address-not-recorded');
  });

  it.each([
    [sending],
    [{ ...sending, to: 'https://gateway.example.com:8443/x' }],
    [{ ...sending, sender: 'cloud' }],
    [{ ...sending, sender: 'webhook' }],
    [{ ...sending, sender: 'state', to: 'postgres://db.example.com' }],
    [{ ...sending, sender: 'state', to: 'postgres://db.example.com:6432/?sslmode=require' }],
  ])('and that line does allow it: %j', (refused) => {
    const [, text = ''] = /^SYNC_POLICY='(.*)'$/.exec(allowingLine(refused)) ?? [];
    expect(reasonFor(refused, readPermissions('/', { SYNC_POLICY: text }))).toBe('the permissions list it');
  });
});

describe('the chooser of a setting', () => {
  it.each([
    ['a literal', {}, 'tree'],
    ["another setting's variable", { variables: { s: 'SYNC_STATE_URL' } }, 'tree'],
    ["the platform's variable", { variables: { s: 'PLATFORM_SERVER_URL' } }, 'tree'],
    ['a parameter, which a pipeline may fill', { variables: { s: 'SYNC_VAR_TITLE' } }, 'tree'],
    ['the reason of a run', { variables: { s: 'SYNC_REASON' } }, 'tree'],
    ['a name that contains its own', { variables: { s: 'OWN_TITLE' } }, 'tree'],
    ['a parameter, in the base', { settingsFromBase: true, variables: { s: 'SYNC_VAR_TITLE' } }, 'tree'],
    ["the setting's own variable, in the base", { settingsFromBase: true, variables: { s: 'OWN' } }, 'operator'],
    ["the setting's own variable", { variables: { s: 'OWN' } }, 'operator'],
    ['a variable that anybody may fill', { variables: { s: 'CI_COMMIT_TITLE' } }, 'tree'],
    ['another one that only looks like it', { variables: { s: 'MY_SYNC_URL' } }, 'tree'],
    ['the base', { settingsFromBase: true }, 'operator'],
    ['a variable that anybody may fill, in the base', { settingsFromBase: true, variables: { s: 'TITLE' } }, 'tree'],
  ] as const)('%s: %j → %s', (_name, config, chooser) => {
    expect(chooserOf(config, 's', ['OWN'])).toBe(chooser);
  });
});

describe('a list of hosts', () => {
  it.each([
    ['gateway.example.com', 'https://gateway.example.com/x', true],
    ['Gateway.Example.COM', 'https://gateway.example.com', true],
    ['bücher.example', 'https://xn--bcher-kva.example', true],
    ['gateway.example.com', 'https://gateway.example.com:8443', false],
    ['gateway.example.com:8443', 'https://gateway.example.com:8443', true],
    ['gateway.example.com', 'https://gateway.example.com.evil.test', false],
    ['gateway.example.com', 'https://evil-gateway.example.com', false],
    ['*.example.com', 'https://a.b.example.com', true],
    ['*.example.com', 'https://example.com', false],
    ['*.example.com', 'https://evilexample.com', false],
    ['*', 'https://evil.test', false],
    ['', 'https://evil.test', false],
    ['127.0.0.1', 'https://0x7f.1', true],
    ['db.example.com', 'postgres://DB.example.com', true],
    ['db.example.com', 'postgres://db.example.com:5432', true],
    ['db.example.com', 'postgres://db.example.com:6432', false],
  ])('%s and %s: %s', (entry, address, listed) => {
    expect(listsHost([entry], address)).toBe(listed);
  });
});

describe('the address of a state database', () => {
  const to = (url: string, env: Record<string, string> = {}): string | undefined =>
    stateSending({ state: { backend: 'postgres', url } } as ProjectConfig, env)?.to;
  it.each([
    ['postgres://me:pw@DB.example.com:5432/x', 'postgres://db.example.com'],
    ['postgresql://db.example.com:6432/x', 'postgres://db.example.com:6432'],
    ['postgres://db.example.com/x?host=evil.test', 'postgres://evil.test'],
    ['postgres://db.example.com/x?port=1&sslmode=disable', 'postgres://db.example.com:1/?sslmode=disable'],
    ['postgres://%2Fvar%2Frun/x', 'postgres://localhost'],
    ['postgres:///x?host=/var/run', 'postgres://localhost'],
    ['postgres://[2001:db8::1]/x', 'postgres://[2001:db8::1]'],
  ])('%s is %s', (url, expected) => {
    expect(to(url)).toBe(expected);
  });

  it('without a host is the one of the environment', () => {
    expect(to('postgres:///x', { PGHOST: 'db.example.com' })).toBe('postgres://db.example.com');
  });

  it.each([
    ['SYNC_STATE_URL', {}, true],
    ['CI_COMMIT_TITLE', {}, false],
    ['CI_COMMIT_TITLE', { state: ['db.example.com'] }, true],
    [undefined, {}, false],
  ])('through %s under %j is placed by the operator: %s', (variable, permissions, placed) => {
    const config = { state: { backend: 'postgres', url: 'postgres://db.example.com/x' } } as ProjectConfig;
    const variables = variable === undefined ? {} : { variables: { 'state.url': variable } };
    expect(isPlaced({ ...config, ...variables }, { ...noPermissions, ...permissions }, {})).toBe(placed);
  });
});

describe('the permissions', () => {
  const matches = new Ajv2020({ strictTypes: false }).compile(readSchema('policy.schema.json'));
  it.each([
    ['{}', true],
    ['{"hosts": {"platform": ["a.example.com"]}, "state": ["/var/lib/sync"], "webhooks": [], "env": ["A_*"]}', true],
    ['{"lookups": ["A"], "data": ["specs"], "keys": ["external_account"], "loopback": false}', true],
    ['{"host": {}}', false],
    ['{"hosts": ["a"]}', false],
    ['{"hosts": {"platform": "a"}}', false],
    ['{"env": [""]}', false],
    ['{"env": "A"}', false],
    ['{"loopback": "no"}', false],
  ])('%s is one, for its schema and for the program alike: %s', (text, isOne) => {
    expect(matches(parse(text))).toBe(isOne);
    const read = (): unknown => readPermissions('/', { SYNC_POLICY: text });
    if (isOne) expect(read()).toMatchObject(parse(text) as object);
    else expect(read).toThrow(/policy-unreadable/);
  });

  it('of the guide is one', () => {
    const guide = readFileSync(new URL('../../docs/security.md', import.meta.url), 'utf8');
    const [, text = ''] = /```yaml\n# permissions.yaml\n([\s\S]*?)```/.exec(guide) ?? [];
    expect(matches(parse(text))).toBe(true);
    expect(Object.keys(parse(text) as object)).toHaveLength(9);
  });

  it('that is asked for and not there stops everything', () => {
    expect(() => readPermissions(tmpdir(), { SYNC_POLICY: '/nowhere/policy.yaml' })).toThrow(/policy-unreadable/);
    expect(readPermissions('/', { SYNC_POLICY: ' ' })).toEqual(noPermissions);
  });

  it.each([
    ['{"env": ["A"]', 1],
    ['env: [A, B\nlookups: [x]\n', 2],
    ['env: [A]\nenv: [B]\n', 2],
    ['env: [A]\nloopback: !unknown true\n', 2],
    ['env: [A]\n---\nenv: [B]\n', 2],
    ['env: "A\n', 2],
  ])('that is broken is none, and no part of it counts: %j', (text, line) => {
    const file = path.join(mkdtempSync(path.join(tmpdir(), 'policy-')), 'policy.yaml');
    writeFileSync(file, text);
    expect(() => readPermissions('/nowhere', { SYNC_POLICY: file })).toThrow(
      `is not one document of YAML or JSON (line ${line})`,
    );
  });

  it('names folders, not what begins like them', () => {
    expect(['specs/a', 'specs-private/a', 'specs'].map((file) => isInFolders(['./specs/'], file))).toEqual([
      true,
      false,
      false,
    ]);
  });
});

describe('what is no data', () => {
  it.each([
    '.git/config',
    'a/.git',
    '.GIT/config',
    '.git./config',
    'a\\.git\\config',
    'GIT~1/config',
    '.sync/x',
    '.env',
    '.env.local',
    '.env-x',
    '.envrc',
    'prod.env',
    '.npmrc',
    '.netrc',
    '.ssh/id',
    '.env::$DATA',
    '.git::$INDEX_ALLOCATION/config',
    'a/.npmrc. :stream',
  ])('%s', (file) => {
    expect(isData(file)).toBe(false);
  });
  it.each(['env.md', 'a.gitignore', '.github/a.yaml', 'docs/environment.md', '.well-known/x', '.synced', 'git/config'])(
    'but %s is',
    (file) => {
      expect(isData(file)).toBe(true);
    },
  );
});

describe('a lookup', () => {
  const permissions = { ...noPermissions, lookups: ['TEAM_*'] };
  it.each([
    ['!env TEAM_A', []],
    ['!env OTHER', ['!env OTHER']],
    ['x-${!env TEAM_A}', []],
    ['${!env TEAM_A}${!env OTHER}', ['${!env TEAM_A}${!env OTHER}']],
    ['!json', ['!json']],
    ['!secret ***', ['!secret ***']],
    ['!env TEAM_A ${!env OTHER}', ['!env TEAM_A ${!env OTHER}']],
  ])('with %s keeps back %j', (expression, kept) => {
    expect(secretsThatStay({ a: [secret('x', expression)] }, permissions, false)).toEqual(kept);
    expect(secretsThatStay({ a: secret('x', expression) }, permissions, true)).toEqual([expression]);
  });
});

describe('a state file', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'sync-place-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  const at = (...names: string[]): string => path.join(folder, 'p', ...names);
  mkdirSync(at('.sync'), { recursive: true });
  mkdirSync(at('inside'));
  writeFileSync(path.join(folder, 'outside'), '');
  symlinkSync('/', at('root'));
  symlinkSync('../outside', at('link.db'));
  symlinkSync('../nowhere', at('dangling.db'));
  symlinkSync('../../outside', at('.sync/x.db-journal'));
  symlinkSync('inside', at('in'));
  symlinkSync('ring', at('ring'));
  it.each([
    ['.sync/state.db', false],
    ['new/folder/state.db', false],
    ['in/state.db', false],
    ['../state.db', true],
    ['root/tmp/state.db', true],
    ['link.db', true],
    ['dangling.db', true],
    ['.sync/x.db', true],
    ['ring/state.db', true],
  ])('%s leaves the project: %s', (file, leaves) => {
    expect(stateLeaves([at()], at(file))).toBe(leaves);
  });
});
