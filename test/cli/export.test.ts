import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { ExportResult } from '@platform-sync/engine/api';
import { fakeProgram } from './fake-host.js';

const found: ExportResult = {
  files: new Map([
    ['pets.yaml', 'resources:\n'],
    ['docs/pets/guide.md', '# Guide\n'],
  ]),
  objects: 2,
  diagnostics: [],
  types: [{ type: 'Api', written: 2, leftOut: {} }],
};
const program = (result: Partial<ExportResult> = {}) =>
  fakeProgram({ project: { export: async () => ({ ...found, ...result }) } });
const schemaLine = '# yaml-language-server: $schema=../.platform-sync/catalogue.schema.json\n';
const nothing = { files: new Map<string, string>(), objects: 0, types: [] };

describe('sync export', () => {
  it('writes the files and says what to type next', async () => {
    const { run, folder } = program();
    expect(await run('export')).toEqual({
      code: 0,
      out: 'Exported 2 objects to 2 files in catalogue.\n\nNext, type:\n  sync validate\n  sync adopt\nIt records what exists and changes nothing. After that, the plan is empty:\n  sync plan\n',
      err: '',
    });
    expect(readFileSync(join(folder, 'catalogue/pets.yaml'), 'utf8')).toBe(`${schemaLine}resources:\n`);
    expect(readFileSync(join(folder, 'catalogue/docs/pets/guide.md'), 'utf8')).toBe('# Guide\n');
  });

  it('tells of each type what was left out, and why; a program hears of all types', async () => {
    const types = [
      { type: 'Api', written: 2, leftOut: {} },
      { type: 'ApiDocument', written: 3, leftOut: { 'container-left-out': 2, 'export-same-key': 1 } },
      { type: 'PortalAuth', written: 0, leftOut: { untouched: 4 } },
      { type: 'Team', written: 0, leftOut: { 'export-list-unread': 1 } },
    ];
    const { run } = program({ types });
    expect((await run('export')).out).toContain(
      '\nLeft out, by type:\n  ApiDocument: 3 written; 2 with what they live in, 1 key of another\n  Team: 0 written; 1 list unread\n\nNext:',
    );
    const { out } = await run('export', '--force', '--format', 'json');
    expect(JSON.parse(out)).toEqual({
      ...{ ok: true, exitCode: 0, diagnostics: [] },
      result: { folder: 'catalogue', files: ['pets.yaml', 'docs/pets/guide.md'], objects: 2, types },
    });
  });

  it('passes types and filters on, and says that another folder may not be read', async () => {
    const { run, calls } = fakeProgram();
    const words = ['--type', 'Api', '--type', 'ApiProduct', '--filter', 'name=a b', '--out', 'elsewhere'];
    const { code, out } = await run('export', ...words);
    expect([code, out]).toEqual([0, expect.stringContaining('Only files that match "catalogue" in sync.yaml')]);
    expect(calls).toContainEqual(['export', { types: ['Api', 'ApiProduct'], filters: ['name=a b'] }]);
  });

  it('writes a Pulumi program into a folder of its own, without lines for editors, and says what to type there', async () => {
    const files = new Map([['Pulumi.yaml', 'name: shop\n']]);
    const { run, folder } = fakeProgram({ project: { export: async () => ({ ...found, files }) } });
    const { code, out } = await run('export', '--as', 'pulumi-yaml');
    expect([code, out]).toEqual([0, expect.stringContaining('pulumi import --file import.json')]);
    expect(readFileSync(join(folder, 'pulumi/Pulumi.yaml'), 'utf8')).toBe('name: shop\n');
    expect((await run('export', '--as', 'pulumi-yaml', '--sources')).code).toBe(64);
  });

  it.each<[string, (path: string) => void]>([
    ['a file', (path) => writeFileSync(path, 'mine')],
    ['a link to nowhere', (path) => symlinkSync('/nonexistent/file', path)],
  ])('overwrites nothing: %s that is there keeps everything from being written', async (_name, make) => {
    const { run, folder } = program();
    mkdirSync(join(folder, 'catalogue/docs/pets'), { recursive: true });
    make(join(folder, 'catalogue/docs/pets/guide.md'));
    expect(await run('export')).toMatchObject({
      code: 1,
      out: '',
      err: expect.stringContaining('file-exists  catalogue/docs/pets/guide.md already exists; nothing was written'),
    });
    expect(existsSync(join(folder, 'catalogue/pets.yaml'))).toBe(false);
  });

  it.each<[string, Partial<ExportResult>, string]>([
    ['writes the rest', {}, 'Exported 2 objects to 2 files in catalogue.'],
    ['says that nothing is left', nothing, 'Nothing to export: no object could be read.'],
  ])('ends with 3 where an object could not be read, and %s', async (_what, result, said) => {
    const left = { severity: 'warning', code: 'export-object-unread', summary: 'Api (id 1) was left out.' } as const;
    const { run } = program({ ...result, diagnostics: [left] });
    expect(await run('export')).toMatchObject({
      code: 3,
      out: expect.stringContaining(said),
      err: expect.stringContaining('export-object-unread'),
    });
  });

  it('says so when a file is in the way of the folder', async () => {
    const { run, folder } = program();
    writeFileSync(join(folder, 'taken'), 'mine');
    expect(await run('export', '--out', 'taken')).toMatchObject({
      code: 1,
      err: expect.stringMatching(/export-not-written .*can't be written/s),
    });
  });

  it('overwrites with --force', async () => {
    const { run, folder } = program();
    mkdirSync(join(folder, 'catalogue'));
    writeFileSync(join(folder, 'catalogue/pets.yaml'), 'mine');
    expect((await run('export', '--force')).code).toBe(0);
    expect(readFileSync(join(folder, 'catalogue/pets.yaml'), 'utf8')).toBe(`${schemaLine}resources:\n`);
  });

  it.each<[string, Partial<ExportResult>, number, string, string]>([
    ['errors', { ...nothing, diagnostics: [{ severity: 'error', code: 'odd', summary: 'Odd.' }] }, 1, '', 'Odd.'],
    ['nothing there', nothing, 0, 'Nothing to export: no object matches.\n', ''],
    ['warnings', { diagnostics: [{ severity: 'warning', code: 'odd', summary: 'Odd.' }] }, 0, 'Exported 2', 'Odd.'],
  ])('%s', async (_name, result, code, out, err) => {
    const { run, folder } = program(result);
    expect(await run('export')).toMatchObject({
      code,
      out: expect.stringContaining(out),
      err: expect.stringContaining(err),
    });
    expect(existsSync(join(folder, 'catalogue'))).toBe(out.startsWith('Exported'));
  });
});
