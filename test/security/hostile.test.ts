import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { driftCommand } from '@platform-sync/cli/commands/drift';
import { planCommand } from '@platform-sync/cli/commands/plan';
import { formatsOf } from '@platform-sync/cli/run/command';
import { hostileNames } from '../report/hostile-plan.js';
import { foreignHtmlIn, hiddenIn, ordersIn } from '../report/safe-text.js';
import { fakeGithub, token, type FakePlatform } from '../review/fake-platforms.js';
import { realProgram, startListener, type Listener, type Printed, type RealProgram } from '../cli/real-program.js';

// A platform takes no control characters and no blank names; these are tested with documents made by hand.
const names = [...new Set(hostileNames.filter((name) => !/[\p{Cc}\p{Cs}]/u.test(name) && name.length <= 200))]
  .map((name) => name.trim())
  .filter((name) => name !== '');

/** As a catalogue writes a text that only looks like a reference. */
const literal = (name: string): string => JSON.stringify(name.split('${').join('$${'));

const resource = (name: string, at: number): string =>
  `  h${at}: {type: platform:Api, properties: {name: ${literal(name)}, version: "${at}", description: ${literal(`old ${name}`)}}}\n`;

let program: RealProgram;
let listener: Listener;
let github: FakePlatform;
beforeAll(async () => {
  [listener, github] = await Promise.all([startListener(), fakeGithub()]);
  const teams = names.map((name) => ({ name, description: name }));
  program = await realProgram({ PLATFORM_TOKEN: 'x', NO_COLOR: '1' }, { seed: { teams } });
  await program.write({
    'sync.yaml': 'project: hostile\nguards: {maxDeletePercent: 100, maxDeletes: 1000}\n',
    'catalogue/all.yaml': `resources:\n${names.map(resource).join('')}outputs:\n  last: \${h1.name}\n`,
  });
});
afterAll(() => Promise.all([program.close(), listener.close(), github.api.close()]));

interface ApiObject {
  readonly id: string;
  readonly name: string;
}

async function objects(): Promise<readonly ApiObject[]> {
  const found: ApiObject[] = [];
  for (let page = 1; found.length % 100 === 0 && page < 9; page += 1) {
    const answer = await program.call('GET', `/v3/apis?page[size]=100&page[number]=${page}`);
    found.push(...(answer as { data: readonly ApiObject[] }).data);
  }
  return found;
}

/** Our own repainting of the progress line. */
const repaint = /\r\u001b\[K(?:\u001b\[1A\u001b\[K)*/g;

/** What is wrong with what a run printed; documents for machines must be whole instead. */
function wrongIn({ line, out, err }: Printed): readonly string[] {
  const found: string[] = [];
  const told = err.replace(repaint, '\n');
  const isDocument = /--format (json|sarif|gitlab)|state (show|pull)|config|lookup/.test(line);
  if (isDocument && out !== '') JSON.parse(out);
  for (const [where, text] of [
    ['out', isDocument ? '' : out],
    ['err', told],
  ] as const) {
    const hidden = hiddenIn(text);
    if (hidden !== undefined) found.push(`${where}: ${JSON.stringify(hidden)}`);
    found.push(...ordersIn(text).map((order) => `${where}: ${order}`));
  }
  if (/--format html/.test(line)) found.push(...foreignHtmlIn(out));
  return found;
}

describe('two hundred hostile names on the platform', () => {
  it('are enough', () => expect(names.length).toBeGreaterThanOrEqual(200));

  it('come back as they are, and are escaped wherever they are told', async () => {
    const { run } = program;
    program.isTerminal = true;
    expect((await run('apply', '--yes', '--report', 'result.json')).code).toBe(0);
    program.isTerminal = false;
    expect((await objects()).map(({ name }) => name).sort()).toEqual([...names].sort());
    expect((await run('plan', '--detailed-exitcode')).code).toBe(0);

    // Somebody types them into other objects, and the platform echoes them when it refuses.
    const all = await objects();
    for (const [at, { id }] of all.entries())
      await program.call('PATCH', `/v3/apis/${id}`, { description: names[(at + 7) % names.length] });
    for (const format of formatsOf(planCommand))
      await run('plan', '--format', format, '--out', 'plan.json', '--report-dir', `reports/${format}`);
    for (const format of formatsOf(driftCommand))
      await run('drift', '--format', format, '--report-dir', `reports/drift-${format}`, '--webhook', listener.url);
    program.env = {
      ...program.env,
      ...{ GITHUB_ACTIONS: 'true', GITHUB_REPOSITORY: 'acme/shop', GITHUB_REF: 'refs/pull/5/merge' },
      ...{ GITHUB_SHA: 'a'.repeat(40), GITHUB_API_URL: github.api.url, GITHUB_TOKEN: token },
    };
    expect((await run('comment', 'plan.json')).code).toBe(0);
    expect(github.comments[0]?.body.length).toBeLessThanOrEqual(65_536);

    await program.call('PUT', '/_sandbox/faults', {
      rules: names.slice(0, 60).map((detail, at) => ({
        match: { method: 'PATCH' },
        nth: at + 1,
        action: {
          status: 400,
          problem: { title: detail, detail, invalid_parameters: [{ field: detail, reason: detail, rule: detail }] },
        },
      })),
    });
    expect((await run('apply', '--yes', '--report', 'partly.json')).code).toBe(7);
    await program.call('PUT', '/_sandbox/faults', { rules: [] });

    for (const line of [
      'refresh',
      'state list',
      'state list --format json',
      'state show h3',
      'state pull',
      'config',
      'graph',
      'graph --format dot',
      'lookup getTeamList',
      'validate',
    ])
      expect((await run(...line.split(' '))).code, line).toBe(0);
    for (const name of names.slice(0, 40)) await run('lookup', 'getTeam', `filter.name.eq=${name}`);

    // What a caller names is told, too.
    const forged = 'plan\u001b[32m\n::error::x.json';
    expect((await run('plan', '--out', forged)).code).toBe(0);
    expect((await run('show', forged)).code).toBe(0);
    expect((await run('show', `${forged}x`)).code).toBe(1);

    expect(program.printed.flatMap((each) => wrongIn(each).map((what) => [each.line, what]))).toEqual([]);
    const files = await program.files();
    for (const [file, bytes] of files) if (/\.(json|sarif)$/.test(file)) JSON.parse(bytes.toString('utf8'));
    for (const body of listener.bodies) JSON.parse(body);
  });

  it('are accepted and ignored as plain values of the YAML', async () => {
    const { run } = program;
    const all = await objects();
    for (const [at, { id }] of all.entries())
      await program.call('PATCH', `/v3/apis/${id}`, { description: `${names[at] ?? ''} accepted` });
    const checked = JSON.parse((await run('drift', '--format', 'json')).out) as { findings: { id: string }[] };
    expect(checked.findings).toHaveLength(names.length);
    const [first, ...rest] = checked.findings.map(({ id }) => id);
    const reason = names.find((name) => name.includes('{{')) ?? names[0] ?? '';
    expect((await run('drift', 'ignore', first ?? '', '--reason', reason)).code).toBe(0);
    expect((await run('drift', 'accept', ...rest)).code).toBe(0);
    const files = await program.files();
    const [config] = parseAllDocuments(files.get('sync.yaml')?.toString('utf8') ?? '');
    expect(config?.toJS()).toMatchObject({ drift: { ignore: [{ reason }] } });
    expect((await run('drift', '--format', 'json')).code).toBe(0);
    const planned = JSON.parse((await run('plan', '--format', 'json')).out) as { steps: object[] };
    expect(planned.steps).toHaveLength(1);
    expect(program.printed.flatMap((each) => wrongIn(each).map((what) => [each.line, what]))).toEqual([]);
  });

  it('are exported to files of harmless names, and mean the same when they are read again', async () => {
    const { run } = program;
    await run('apply', '--yes');
    await program.write({ 'sync.yaml': 'project: hostile\ncatalogue: [exported/**/*.yaml]\n' });
    expect((await run('export', '--out', 'exported', '--type', 'Api')).code).toBe(0);
    const exported = [...(await program.files()).keys()].filter((file) => file.startsWith('exported/'));
    expect(exported.length).toBeGreaterThan(1);
    for (const file of exported) expect(file).toMatch(/^exported\/[\w./-]+$/);
    await program.write({ 'sync.yaml': 'project: other\ncatalogue: [exported/**/*.yaml]\nstate: {path: other.db}\n' });
    expect((await run('adopt', '--yes')).code).toBe(0);
    expect((await run('plan', '--detailed-exitcode')).code).toBe(0);
    expect(program.printed.flatMap((each) => wrongIn(each).map((what) => [each.line, what]))).toEqual([]);
  });
});
