import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type CommandEvent, EventLog } from '@platform-sync/cli/files/event-log';
import type { Event } from '@platform-sync/core/model/event';
import { realWorld } from '@platform-sync/core/model/world';
import { realProgram, type RealProgram } from '../cli/real-program.js';

const schema = JSON.parse(readFileSync('schemas/events.schema.json', 'utf8')) as object;
const isEvent = new Ajv2020({ strict: false, formats: { 'date-time': true } }).compile(schema);

let program: RealProgram;
beforeAll(async () => {
  program = await realProgram({ PLATFORM_TOKEN: 'any', OWNER: 'canary-ann' });
  await program.write({
    'sync.yaml': 'project: shop\n',
    'catalogue/a.yaml':
      'resources: { pets: { type: platform:Api, properties: { name: Pets, description: !env OWNER } } }\n',
  });
});
afterAll(() => program.close());

type Line = (Event | CommandEvent) & { readonly at: string };

/** The lines that a command leaves, each held against the schema. */
async function follow(...argv: readonly string[]): Promise<readonly Line[]> {
  const { code } = await program.run(...argv, '--events', 'out/events.jsonl');
  const text = readFileSync(join(program.folder, 'out/events.jsonl'), 'utf8');
  expect(text).toMatch(/\}\n$/);
  expect(text).not.toContain('canary');
  const lines = text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Line);
  for (const line of lines) expect([line, isEvent(line), isEvent.errors]).toEqual([line, true, null]);
  expect(lines[0]).toMatchObject({ type: 'started', formatVersion: 1 });
  expect(lines.at(-1)).toMatchObject({ type: 'ended', exitCode: code });
  expect([...lines].sort((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0))).toEqual(lines);
  return lines;
}

const types = (lines: readonly Line[]): readonly string[] => [...new Set(lines.map(({ type }) => type))];

describe('events', () => {
  it('of a plan, of an apply, of a check, of each to its end', async () => {
    expect(types(await follow('plan'))).toEqual(['started', 'reading', 'read', 'planned', 'ended']);
    const applied = await follow('apply', '--yes');
    expect(types(applied)).toEqual(
      expect.arrayContaining(['planned', 'apply-started', 'step-started', 'step-done', 'apply-finished', 'ended']),
    );
    expect(applied.find(({ type }) => type === 'planned')).toMatchObject({ summary: { create: 1 }, blockedBy: [] });
    expect(applied.find(({ type }) => type === 'step-done')).toMatchObject({ address: 'pets', action: 'create' });
    expect(await follow('drift')).toContainEqual(
      expect.objectContaining({ type: 'checked', status: 'clean', findings: 0, notCompared: 0 }),
    );
    expect(types(await follow('refresh'))).toContain('read');
    expect(types(await follow('destroy', '--yes'))).toContain('step-done');
  });

  it('of what cannot begin end, too, with the exit code', async () => {
    await program.write({ 'broken/sync.yaml': 'projekt: shop\n' });
    const { code } = await program.run('plan', '-C', 'broken', '--events', '../e.jsonl');
    const lines = readFileSync(join(program.folder, 'e.jsonl'), 'utf8').trimEnd().split('\n');
    expect(lines.map((line) => (JSON.parse(line) as Line).type)).toEqual(['started', 'ended']);
    expect(JSON.parse(lines[1] ?? '')).toMatchObject({ exitCode: code });
  });

  it('that nobody can take keep a run from beginning, and later from nothing', async () => {
    const { code, err } = await program.run('plan', '--events', 'sync.yaml/events');
    expect([code, err]).toEqual([1, expect.stringContaining('report-unwritable')]);
    const log = new EventLog(join(program.folder, 'closed.jsonl'), realWorld);
    log.start('1.0.0');
    log.end(0);
    log.tell({ type: 'read', done: 1, total: 1 });
    log.end(undefined);
    expect(readFileSync(join(program.folder, 'closed.jsonl'), 'utf8').split('\n')).toHaveLength(3);
  });
});

/** One of each: a new type of event does not compile without a line here, and the schema knows them all. */
const each: {
  readonly [T in (Event | CommandEvent)['type']]: Omit<Extract<Event | CommandEvent, { type: T }>, 'type'>;
} = {
  started: { formatVersion: 1, engine: '1.0.0' },
  reading: { collections: 1, objects: 2 },
  read: { done: 1, total: 2 },
  planned: {
    ...{ digest: 'd', blockedBy: ['maxDeletes'] },
    summary: { create: 1, update: 0, replace: 0, delete: 0, forget: 0, adopt: 0, move: 0, unchanged: 3 },
  },
  checked: { status: 'drift', findings: 1, notCompared: 0 },
  'apply-started': { steps: 1 },
  'step-started': { address: 'a', resourceType: 't', action: 'delete-old' },
  'step-done': { address: 'a', resourceType: 't', action: 'create', id: 'x', durationMs: 1.5 },
  'step-failed': {
    ...{ address: 'a', resourceType: 't', action: 'update' as const },
    diagnostics: [{ severity: 'error', code: 'forbidden', summary: 'No.' }],
  },
  'step-skipped': { address: 'a', action: 'replace', because: 'b' },
  recovered: { address: 'a', outcome: 'adopted' },
  waiting: { ms: 100, reason: 'rate limit' },
  'apply-finished': { done: 1, failed: 0, skipped: 0 },
  diagnostic: { diagnostic: { severity: 'warning', code: 'w', summary: 'W.', hint: 'h' } },
  ended: {},
};

it.each(Object.entries(each))('the schema knows %s, and nothing more of it', (type, rest) => {
  const line = { type, at: '2026-01-01T00:00:00.000Z', ...rest };
  expect([isEvent(line), isEvent.errors]).toEqual([true, null]);
  expect(isEvent({ ...line, surprise: 1 })).toBe(false);
});
