import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ApplyResult } from '@platform-sync/engine/api';
import type { FieldRule, ResourceType } from '@platform-sync/core/model/resource-type';
import type { Json, JsonObject } from '@platform-sync/core/model/value';
import { platformPackage } from '@platform-sync/platform/package';
import { realProgram, type RealProgram } from '../cli/real-program.js';
import { keyOf, propertiesOf, valueOf, withNeeded } from './all-types.js';
import { isLegal, planted } from './planted.js';

/** Part of every secret of the files, and of nothing else; what the platform chooses and shows once has `once` in it. */
const [word, once] = ['k4n4rie', 'shown-once-'];

interface Place {
  readonly type: ResourceType;
  readonly rule: FieldRule;
  /** Members from the field down; none where the whole is a secret. */
  readonly path: readonly string[];
}

const places = [...platformPackage.types.values()].flatMap((type) =>
  Object.values(type.fields).flatMap((rule): readonly Place[] => {
    if (!rule.input) return [];
    if (rule.secret) return [{ type, rule, path: [] }];
    return (rule.secretMembers ?? []).map((path) => ({ type, rule, path: path.split('.') }));
  }),
);
const oneTime = [...platformPackage.types.values()].filter(({ shownOnce }) => shownOnce !== undefined);

/** As many secrets of a type in one resource as it takes; `left` gets those that it doesn't take together. */
function withSecrets(type: ResourceType, own: readonly Place[], version: string, left: Place[]): JsonObject {
  const properties: Record<string, Json> = { ...propertiesOf(type, [], 'first') };
  for (const place of own) {
    const { rule, path } = place;
    const now = properties[rule.name] ?? valueOf(type, rule, 'first');
    const secret = `${word}-${places.indexOf(place)}-${version}-${'x'.repeat(12)}`;
    const value = planted(rule.schema, path, secret, now);
    if (isLegal(rule, value)) properties[rule.name] = value;
    else left.push(place);
  }
  return properties;
}

let program: RealProgram;
beforeAll(async () => {
  program = await realProgram({ PLATFORM_TOKEN: 'platform-token', PLATFORM_SPAT: 'account-token' });
});
afterAll(() => program.close());

const settings = 'project: canary\nguards: {maxDeletePercent: 100, maxDeletes: 1000}\n';
function write(version: string): { readonly left: readonly Place[]; readonly done: Promise<void> } {
  const left: Place[] = [];
  const chosen = new Set([...places.map(({ type }) => type), ...oneTime]);
  const resources = Object.fromEntries(
    [...withNeeded([...chosen])].map((type) => {
      const own = places.filter((place) => place.type === type);
      return [keyOf(type), { type: type.shortToken, properties: withSecrets(type, own, version, left) }];
    }),
  );
  return { left, done: program.write({ 'sync.yaml': settings, 'catalogue/all.yaml': JSON.stringify({ resources }) }) };
}

async function leaks(): Promise<readonly string[]> {
  const printed = program.printed.map(({ line, out, err }) => [`sync ${line}`, out + err] as const);
  const files = [...(await program.files())].map(([name, bytes]) => [name, bytes.toString('latin1')] as const);
  return [...printed, ...files.filter(([name]) => name !== 'catalogue/all.yaml')].flatMap(([where, text]) =>
    [word, once].flatMap((each) => {
      const at = text.toLowerCase().indexOf(each);
      return at < 0 ? [] : [`${where}: ${text.slice(Math.max(0, at - 90), at + 50)}`];
    }),
  );
}

/** All of their secrets together are of several kinds at once: refused, and told without them. */
const refused = [
  ...[
    'aigatewaymcpserver',
    'aigatewaymodel',
    'aigatewaymodelprovider',
    'aigatewayvault',
    'billingaddon',
    'billingplan',
  ],
  ...['eventgatewaybackendcluster', 'eventgatewayvirtualcluster', 'gatewaypartial', 'gatewayplugindatakit'],
  'portalcustomdomain',
];
/** What a type takes only beside others, or in a form that a canary hasn't. */
const unfit = ['GatewayPluginSaml.config', 'PortalIntegrations.equalWeb'];

describe('a secret that stands in a file as it is, of every type and member', { timeout: 600_000 }, () => {
  it('is in no plan, report, log, event or refusal; the platform gets it', async () => {
    const { run } = program;
    const { left, done } = write('one');
    await done;
    expect([...new Set(left.map(({ type, rule }) => `${type.name}.${rule.name}`))].sort()).toEqual(unfit);
    expect([places.length > 560, oneTime.length > 4]).toEqual([true, true]);
    for (const format of ['text', 'json'])
      expect((await run('plan', '--format', format, '--out', 'plan.json', '--report-dir', 'reports')).code).toBe(0);
    await run('apply', '--yes', '--report', 'result.json', '--events', 'events.ndjson');
    const { steps } = JSON.parse(await readFile(join(program.folder, 'result.json'), 'utf8')) as ApplyResult;
    expect(
      steps
        .filter(({ outcome }) => outcome !== 'done')
        .map(({ address }) => address)
        .sort(),
    ).toEqual(refused);
    expect(JSON.stringify(await program.call('GET', '/_sandbox/objects')).split(word).length).toBeGreaterThan(490);
    expect(await leaks()).toEqual([]);
  });

  it('is in no plan of another one, and in nothing that is told of it when others change it', async () => {
    const { run } = program;
    const kept = await readFile(join(program.folder, '.sync/state.db'));
    await write('two').done;
    const moved = await run('plan', '--report-dir', 'reports/moved');
    expect(moved.out).toContain('(secret');
    await run('apply', '--yes', '--report', 'again.json', '--events', 'again.ndjson');
    // As if somebody had typed the second ones by hand: file and record know the first.
    await writeFile(join(program.folder, '.sync/state.db'), kept);
    await write('one').done;
    for (const format of ['text', 'json', 'markdown'])
      expect((await run('drift', '--format', format, '--report-dir', `reports/drift-${format}`)).out).toContain(
        'gatewaykeyauth',
      );
    await run('drift', 'accept', 'gatewaykeyauth');
    await run('drift', 'revert', 'gatewaykeyauth', '--yes');
    expect(await leaks()).toEqual([]);
  });

  it('is in no export and in no other answer', async () => {
    const { run } = program;
    expect((await run('export', '--out', 'exported')).code).toBe(0);
    expect((await run('export', '--as', 'pulumi-yaml', '--out', 'program')).code).toBe(0);
    for (const line of [
      ...['state list', 'state pull', 'state show gatewaykeyauth', 'state show gatewayvault', 'history', 'refresh'],
      ...[
        'history show 1',
        'undo 1 --dry-run',
        'output',
        'config',
        'graph',
        'show plan.json',
        'get AuditLogDestination',
      ],
      'destroy --yes --report gone.json',
    ])
      await run(...line.split(' '));
    expect(await leaks()).toEqual([]);
    const bugs = program.printed.filter(({ out, err }) => /\n {4}at |bug:/.test(out + err));
    expect(bugs.map(({ line }) => line)).toEqual([]);
  });
});
