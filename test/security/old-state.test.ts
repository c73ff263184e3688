import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { JsonObject } from '@platform-sync/core/model/value';
import { openStateStore } from '@platform-sync/state/open';
import { realProgram, type RealProgram } from '../cli/real-program.js';

const word = 'in-clear-canary';
const config: JsonObject = { auth: { type: 'basic', headers: [{ name: 'authorization', value: `Bearer ${word}` }] } };
const catalogue = (displayName: string): string => `
resources:
  ai:
    type: platform:AiGateway
    properties: { displayName: Ai, name: ai }
    children:
      model:
        type: platform:AiGatewayModelProvider
        properties: { type: openai, displayName: ${displayName}, name: openai, config: ${JSON.stringify(config)} }
`;

let program: RealProgram;
const path = (): string => join(program.folder, '.sync/state.db');

/** What a version that took the field for no secret has left behind. */
async function writeInClear(): Promise<void> {
  const store = await openStateStore({ backend: 'sqlite', path: path() }, 'old', 'default');
  const lease = await store.acquire('test', { owner: 'test', waitMs: 0 });
  const record = (await store.read()).resources.get('ai/model');
  if (record === undefined) throw new Error('no record');
  // Answers leave out what is only taken.
  const { id, scope } = record.identity;
  const at = `/v1/ai-gateways/${scope['gatewayId'] ?? ''}/model-providers/${id}`;
  const answer = (await program.call('GET', at)) as { config: JsonObject };
  const outputs = { ...record.outputs, config: answer.config };
  const inClear = { ...record, inputs: { ...record.inputs, config }, outputs };
  await store.commit(lease, [{ kind: 'put', resource: { ...inClear, deposed: [] } }]);
  await lease.release();
  await store.close();
}

/** As it lies in the store. */
async function lies(): Promise<'sealed' | 'in clear'> {
  const store = await openStateStore({ backend: 'sqlite', path: path() }, 'old', 'default');
  const record = (await store.read()).resources.get('ai/model');
  await store.close();
  const text = JSON.stringify([record?.inputs, record?.outputs]);
  return !text.includes(word) && text.includes('"$secret"') ? 'sealed' : 'in clear';
}

const settings = 'project: old\n';
const write = (displayName: string): Promise<void> =>
  program.write({ 'sync.yaml': settings, 'catalogue/main.yaml': catalogue(displayName) });

beforeAll(async () => {
  program = await realProgram({ PLATFORM_TOKEN: 'any' });
  await write('Open');
  expect((await program.run('apply', '--yes')).code).toBe(0);
});
afterAll(() => program.close());

describe('a state that an earlier version wrote, with a secret in clear', () => {
  it('is shown by no command, and read as if it were sealed: nothing is to do', async () => {
    await writeInClear();
    const before = program.printed.length;
    const plan = await program.run('plan', '--detailed-exitcode', '--out', 'plan.json', '--report-dir', 'reports');
    expect([plan.code, plan.out]).toEqual([0, expect.stringContaining('No changes')]);
    expect(plan.err).toContain('The state holds, in plain text, secrets of ai/model.');
    for (const line of [
      'plan --refresh none --format json',
      'drift --format json',
      'state show ai/model',
      'state list',
      'state pull',
      'export --type AiGateway --type AiGatewayModelProvider --out exported',
      'output --json',
      'destroy --dry-run',
    ])
      await program.run(...line.split(' '));
    expect(program.printed.slice(before).filter(({ out, err }) => (out + err).includes(word))).toEqual([]);
    expect(await lies()).toBe('in clear');
    for (const [name, bytes] of await program.files())
      if (!/^\.sync\/|^catalogue\//.test(name)) expect([name, bytes.includes(word)]).toEqual([name, false]);
  });

  it.each<[string, () => Promise<unknown>]>([
    ['an apply with nothing to do', () => program.run('apply', '--yes')],
    ['a refresh that finds nothing', () => program.run('refresh')],
    [
      'an apply of another field',
      async () => {
        await write('Another');
        await program.run('apply', '--yes');
      },
    ],
    [
      'moves of another record',
      async () => {
        await program.run('state', 'mv', 'ai', 'moved');
        await program.run('state', 'mv', 'moved', 'ai');
      },
    ],
    [
      'a push of a document in clear',
      async () => {
        const { out } = await program.run('state', 'pull');
        const document = JSON.parse(out) as { resources: { address: string; inputs: JsonObject }[] };
        const resources = document.resources.map((record) =>
          record.address === 'ai/model' ? { ...record, inputs: { ...record.inputs, config } } : record,
        );
        await program.write({ '.sync/pushed.json': JSON.stringify({ ...document, resources }) });
        await program.run('state', 'push', '.sync/pushed.json', '--force');
      },
    ],
  ])('is sealed by %s', async (_, work) => {
    await writeInClear();
    await work();
    expect(await lies()).toBe('sealed');
    const after = await program.run('plan', '--detailed-exitcode');
    expect([after.code, after.out, after.err.includes('in clear')]).toEqual([
      0,
      expect.stringContaining('No changes'),
      false,
    ]);
  });
});
