import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { loadCatalogue } from '@platform-sync/catalogue/load';
import type { Diagnostic } from '@platform-sync/core/model/diagnostic';
import { reservedLabelPrefixes } from '@platform-sync/platform/wire';
import { providerPackages } from '@platform-sync/sdk/registry';
import { configOf, load, loadFiles, scratchFolder } from '../engine/catalogue/scratch-project.js';

/** `code` or `file:line:column code` of everything found. */
function brief(diagnostics: readonly Diagnostic[]): string[] {
  return diagnostics.map(({ code, place }) =>
    place ? `${place.file}:${String(place.line)}:${String(place.column)} ${code}` : code,
  );
}

describe('bad catalogues that no repository can hold', () => {
  it('refuses catalogue and data files over 32 MiB', async () => {
    const large = Buffer.alloc(32 * 1024 * 1024 + 1, '#');
    const { diagnostics } = await loadFiles({
      'large.yaml': large,
      'main.yaml': 'resources:\n  shop: {type: platform:Api, properties: {specContent: !file large.txt}}\n',
      'large.txt': large,
    });
    expect(brief(diagnostics)).toEqual([
      'catalogue/large.yaml:1:1 file-too-large',
      'catalogue/main.yaml:2:62 file-too-large',
    ]);
  });

  it('reads a file of just 32 MiB', async () => {
    const { diagnostics } = await loadFiles({ 'main.yaml': Buffer.alloc(32 * 1024 * 1024, '#') });
    expect(diagnostics).toEqual([]);
  });

  it('refuses ways out of the project through symbolic links', async () => {
    const outside = scratchFolder({ 'secret.txt': 'canary', 'catalogue.yaml': 'resources: {}\n' });
    const root = scratchFolder({
      'catalogue/main.yaml':
        'resources:\n  shop: {type: platform:Api, properties: {description: !file link.txt, specContent: !file dir/secret.txt}}\n',
    });
    symlinkSync(path.join(outside, 'secret.txt'), path.join(root, 'catalogue/link.txt'));
    symlinkSync(outside, path.join(root, 'catalogue/dir'));
    const { diagnostics } = await load(root);
    expect(new Set(diagnostics.map((d) => d.code))).toEqual(new Set(['file-outside-project']));
    expect(brief(diagnostics)).toContain('catalogue/main.yaml:2:62 file-outside-project');
    expect(brief(diagnostics)).toContain('catalogue/main.yaml:2:91 file-outside-project');
    expect(JSON.stringify(diagnostics)).not.toContain('canary');
  });

  it('follows symbolic links that stay inside', async () => {
    const root = scratchFolder({
      'catalogue/main.yaml': 'resources:\n  shop: {type: platform:Api, properties: {description: !file link.txt}}\n',
      'docs/shop.txt': 'All about the shop',
    });
    symlinkSync('../docs/shop.txt', path.join(root, 'catalogue/link.txt'));
    expect((await load(root)).diagnostics).toEqual([]);
  });

  it('does not wait for a folder or a device that poses as a file', async () => {
    const root = scratchFolder({ 'catalogue/main.yaml': 'variables: {a: !file folder.txt}\n' });
    mkdirSync(path.join(root, 'catalogue/folder.txt'));
    expect(brief((await load(root)).diagnostics)).toEqual(['catalogue/main.yaml:1:22 file-not-readable']);
  });

  it.each(reservedLabelPrefixes)('refuses labels that begin with a reserved prefix (%#)', async (prefix) => {
    const { diagnostics } = await loadFiles(
      `resources:\n  shop: {type: platform:Api, properties: {labels: {${prefix}x: a, x${prefix}: b}}}\n`,
    );
    expect(brief(diagnostics)).toEqual(['catalogue/main.yaml:2:52 reserved-name']);
    expect(diagnostics[0]?.hint).toContain(prefix);
  });

  const hostile: Readonly<Record<string, string>> = {
    'open brackets': `variables: ${'['.repeat(20_000)}`,
    'deep lists': `variables:\n  ${'- '.repeat(5_000)}x`,
    'deep maps': `variables: ${'{a: '.repeat(5_000)}`,
    'deep keys': '? '.repeat(5_000),
    'many quotes': 'a: "x\n'.repeat(2_000),
    'many names': `variables:\n${Array.from({ length: 150_000 }, (_, i) => `  k${String(i)}: v`).join('\n')}`,
    'names of built-in members':
      'resources: {__proto__: {type: platform:Api, properties: {__proto__: x, constructor: y, labels: {constructor: z}}}}\noutputs: {a: "${constructor.id}", b: "${__proto__.toString}"}',
    'control characters': 'variables: {a: "\\0"}\n\u0000\u0007',
    'a chain of variables': `variables:\n  k0: x\n${Array.from({ length: 5_000 }, (_, i) => `  k${String(i + 1)}: \${k${String(i)}}`).join('\n')}`,
    nothing: '',
    'a byte order mark': '\uFEFFresources: {}\n',
    'only text': 'hello',
    'only a list': '- a\n- b\n',
    'windows line ends': 'resources:\r\n  shop: {type: platform:Ap}\r\n',
  };
  it.each(Object.entries(hostile))('survives %s', async (_name, text) => {
    const { diagnostics } = await loadFiles(text);
    for (const { place } of diagnostics) expect(place?.line).toBeGreaterThan(0);
  });

  const inherited = ['constructor', 'toString', '__proto__', 'hasOwnProperty'];
  const named: Readonly<Record<string, string>> = {
    variable: 'variables: {a: !env NAME}',
    function: 'variables: {a: !lookup {function: "platform:NAME", arguments: {}}}',
    member: 'variables: {a: {b: c}, d: "${a.NAME}"}',
    reference: 'variables: {d: "${NAME}"}',
    parameter: 'variables: {d: "${param.NAME}"}',
    type: 'resources: {a: {type: platform:NAME, properties: {name: a}}}',
    provider: 'resources: {a: {type: NAME:Api, properties: {name: a}}}',
    field: 'resources: {a: {type: platform:Api, properties: {name: a, NAME: 1}}}',
    'ignored field': 'resources: {a: {type: platform:Api, properties: {name: a}, options: {ignoreChanges: [NAME]}}}',
    option: 'resources: {a: {type: platform:Api, properties: {name: a}, options: {NAME: 1}}}',
    dependency: 'resources: {a: {type: platform:Api, properties: {name: a}, options: {dependsOn: [NAME]}}}',
    tag: 'variables: {a: !NAME x}',
    'key of a file': 'NAME: 1',
  };
  it.each(Object.entries(named))('finds nothing under a name that every object has: %s', async (_, text) => {
    for (const name of inherited) {
      const { diagnostics } = await loadFiles(`${text.replaceAll('NAME', name)}\n`);
      expect([name, diagnostics.map(({ severity }) => severity)]).toEqual([name, expect.arrayContaining(['error'])]);
      expect(JSON.stringify(diagnostics)).not.toContain('native code');
    }
  });

  it('refuses a pattern that matches nothing, beside others that do', async () => {
    const root = scratchFolder({ 'catalogue/a.yaml': 'resources: {}\n' });
    const patterns = ['catalogue/*.yaml', 'catalog/*.yaml', '!catalogue/b.yaml'];
    const { diagnostics } = await loadCatalogue(
      { ...configOf(root), catalogue: patterns },
      { env: {}, packages: providerPackages },
    );
    expect(diagnostics.map(({ code, summary }) => [code, summary])).toEqual([
      ['no-catalogue-files', 'No file matches catalog/*.yaml.'],
    ]);
  });

  it('refuses where there is no file at all: nobody said that nothing should exist', async () => {
    const root = scratchFolder({ 'readme.md': 'x' });
    writeFileSync(path.join(root, 'other.yaml'), 'resources: {}\n');
    const { diagnostics, desired } = await load(root);
    expect(diagnostics).toMatchObject([{ code: 'no-catalogue-files', severity: 'error' }]);
    expect(desired).toBeUndefined();
  });
});
