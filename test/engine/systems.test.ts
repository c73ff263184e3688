import { EventEmitter } from 'node:events';
import { cpSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { loadCatalogue } from '@platform-sync/catalogue/load';
import { loadProjectConfig } from '@platform-sync/catalogue/project/project-file';
import { listenForStops } from '@platform-sync/cli/process/process-host';
import { isWithin } from '@platform-sync/core/model/within';
import { providerPackages } from '@platform-sync/sdk/registry';
import { plain } from './catalogue/plain.js';

/** What differs between systems, as far as it can be tried on any of them. */

type Row = readonly [folder: string, file: string, holds: boolean];
const pathRules: readonly (readonly [name: string, rules: path.PlatformPath, rows: readonly Row[]])[] = [
  [
    'posix',
    path.posix,
    [
      ['/a', '/a', true],
      ['/a', '/a/b', true],
      ['/a', '/ab', false],
      ['/a', '/', false],
      ['/a', '/a/../b', false],
      ['/a', '/a/..b', true],
      ['/', '/a', true],
      ['/a', '/A/b', false],
      ['/a', '/a/b\\..\\..\\..\\c', true],
    ],
  ],
  [
    'win32',
    path.win32,
    [
      ['C:\\a', 'C:\\a', true],
      ['C:\\a', 'C:\\a\\b', true],
      ['C:\\a', 'c:/A/b', true],
      ['C:\\a', 'C:\\ab', false],
      ['C:\\a', 'C:\\a\\..\\b', false],
      ['C:\\a', 'C:\\a\\..b', true],
      ['C:\\a', 'D:\\a\\b', false],
      ['C:\\', 'C:\\a', true],
      ['C:\\a', '\\\\server\\share\\a', false],
      ['\\\\server\\share', '\\\\server\\share\\a', true],
      ['\\\\server\\share', '\\\\server\\other\\a', false],
    ],
  ],
];

describe.each(pathRules)('a folder holds a path, by the rules of %s', (_name, rules, rows) => {
  it.each([...rows])('%s: %s %s', (folder, file, holds) => {
    expect(isWithin(folder, file, rules)).toBe(holds);
  });
});

describe('what asks a program to end', () => {
  it.each([
    ['linux', ['SIGINT', 'SIGTERM'], ['SIGINT', 'SIGTERM']],
    // Under nohup, SIGHUP is none.
    ['darwin', ['SIGINT', 'SIGHUP', 'SIGTERM', 'SIGBREAK'], ['SIGINT', 'SIGTERM']],
    ['win32', ['SIGINT', 'SIGBREAK', 'SIGHUP', 'SIGTERM'], ['SIGINT', 'SIGTERM', 'SIGTERM', 'SIGTERM']],
  ] as const)('on %s, of %j', (platform, sent, heard) => {
    const process = new EventEmitter();
    const told: string[] = [];
    const stop = listenForStops(process, platform, (signal) => told.push(signal));
    for (const signal of sent) process.emit(signal);
    expect(told).toEqual(heard);
    stop();
    expect(process.eventNames()).toEqual([]);
  });
});

describe('a checkout as an editor or git of Windows leaves it', () => {
  async function desired(rewrite: (text: string) => string): Promise<string> {
    const root = mkdtempSync(path.join(tmpdir(), 'sync-ends-'));
    onTestFinished(() => rmSync(root, { recursive: true, force: true }));
    cpSync(path.resolve(import.meta.dirname, '../../fixtures/example'), root, { recursive: true });
    // A text that `!file` takes is what it is, line ends too: .gitattributes says which those are.
    const written = (name: string): boolean => /^(?:sync\.yaml|catalogue[\\/][^\\/]+\.yaml)$/.test(name);
    for (const name of readdirSync(root, { recursive: true, encoding: 'utf8' }).filter(written)) {
      const file = path.join(root, name);
      writeFileSync(file, rewrite(readFileSync(file, 'utf8')));
    }
    const reads = { env: {}, packages: providerPackages };
    const { config, diagnostics } = await loadProjectConfig(root, reads);
    expect(diagnostics).toEqual([]);
    if (config === undefined) throw new Error('no config');
    const loaded = await loadCatalogue(config, reads);
    expect(loaded.diagnostics).toEqual([]);
    expect(loaded.desired?.resources.size).toBeGreaterThan(5);
    return JSON.stringify(
      [...(loaded.desired?.resources ?? [])].map(([address, { properties }]) => [
        address,
        [...properties].map(([name, value]) => [name, plain(value)]),
      ]),
    );
  }

  it('means the same: lines that end in CR LF, and a byte order mark', async () => {
    const asIs = await desired((text) => text);
    expect(await desired((text) => text.replaceAll('\n', '\r\n'))).toBe(asIs);
    expect(await desired((text) => `\uFEFF${text}`)).toBe(asIs);
    expect(await desired((text) => `\uFEFF${text.replaceAll('\n', '\r\n')}`)).toBe(asIs);
  });
});
