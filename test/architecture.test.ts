import { readFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import { globSync } from 'tinyglobby';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('..', import.meta.url));
const files = globSync('src/**/*.ts', { cwd: root }).sort();

interface Import {
  readonly file: string;
  /** A file of src, or a package name. */
  readonly target: string;
  readonly typeOnly: boolean;
  readonly lazy: boolean;
}

const importPattern =
  /(?:^|\n)\s*(?:import|export)\s+(type\s)?[^'"`;]*?from\s*['"]([^'"]+)['"]|(?:^|\n)\s*import\s*['"]([^'"]+)['"]|import\(\s*['"]([^'"]+)['"]\s*\)/g;

function importsOf(file: string): readonly Import[] {
  // Lines of comment first: a pattern of files in one is the beginning of no other comment.
  const text = readFileSync(join(root, file), 'utf8').replace(/^\s*\/\/.*$|\/\*[\s\S]*?\*\//gm, '');
  return [...text.matchAll(importPattern)].map((match) => {
    const specifier = match[2] ?? match[3] ?? match[4] ?? '';
    return { file, target: resolved(file, specifier), typeOnly: match[1] !== undefined, lazy: match[4] !== undefined };
  });
}

function resolved(file: string, specifier: string): string {
  if (!specifier.startsWith('.')) return packageName(specifier);
  return posix.join(posix.dirname(file), specifier).replace(/\.js$/, '.ts');
}

function packageName(specifier: string): string {
  if (specifier.startsWith('node:') || builtinModules.includes(specifier)) return 'node';
  return specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');
}

const imports = files.flatMap(importsOf);
const inside = imports.filter(({ target }) => !isPackage(target));

function isPackage(target: string): boolean {
  return !target.startsWith('src/') && !target.startsWith('schemas/') && target !== 'package.json';
}

const own = (folder: string): string => `${folder}/`;
const rooms = (folder: string, names: string): readonly string[] =>
  names.split(' ').map((name) => `${folder}/${name}/`);
const model = 'src/engine/model/';
const api = [model, 'src/engine/api.ts'];
/** Types of codes, made from docs/errors.yaml: every room has its own there. */
const codes = 'src/generated/codes.ts';

/**
 * Who may import whom: the first row whose folder or file holds the importer counts. Types of the public API
 * (engine/api.ts) are for everybody who stands above the stages.
 */
const directions: readonly (readonly [string, readonly string[]])[] = [
  [model, [model]],
  ['src/engine/api.ts', [model]],
  // The rooms of the catalogue, each of which sees only those before it.
  ['src/engine/catalogue/problem/', [model, own('src/engine/catalogue/problem')]],
  ['src/engine/catalogue/read/', [model, own('src/engine/catalogue/problem'), own('src/engine/catalogue/read')]],
  ['src/engine/catalogue/edit/', [model, own('src/engine/catalogue/read'), own('src/engine/catalogue/edit')]],
  [
    'src/engine/catalogue/build/',
    [
      model,
      own('src/engine/catalogue/problem'),
      own('src/engine/catalogue/read'),
      own('src/engine/catalogue/build'),
      'src/engine/lookups/',
    ],
  ],
  [
    'src/engine/project/',
    [
      model,
      own('src/engine/project'),
      own('src/engine/catalogue/problem'),
      own('src/engine/catalogue/read'),
      own('src/engine/catalogue/build'),
      'src/generated/project-validator.ts',
      'src/generated/settings.ts',
    ],
  ],
  [
    'src/engine/catalogue/sources/',
    [model, own('src/engine/catalogue/read'), own('src/engine/catalogue/build'), own('src/engine/catalogue/sources')],
  ],
  ['src/engine/catalogue/', [model, own('src/engine/catalogue'), 'src/engine/lookups/', 'src/engine/resolve/graph.ts']],
  ['src/engine/resolve/', [model, own('src/engine/resolve')]],
  // What people know of objects, by the rules of their types.
  ['src/engine/lookups/', [model, own('src/engine/lookups')]],
  // Decides from data; the senders know its questions only, which are in the model.
  ['src/engine/trust/', [model, own('src/engine/trust')]],
  ['src/engine/state/', [model, own('src/engine/state'), 'src/generated/state-validator.ts', 'package.json']],
  // One value of one field: what it is, how it is hidden, whether it differs. Every stage may ask.
  ['src/engine/value/', [model, own('src/engine/value')]],
  // What must be known of a collection, and what that takes: everybody who reads asks here.
  ['src/engine/reads/', [model, own('src/engine/reads')]],
  ['src/engine/refresh/', [model, own('src/engine/refresh'), 'src/engine/reads/']],
  ['src/engine/plan/', [model, own('src/engine/plan'), 'src/engine/resolve/', 'src/engine/value/']],
  [
    'src/engine/apply/',
    [
      model,
      own('src/engine/apply'),
      'src/engine/reads/',
      'src/engine/api.ts',
      'src/engine/refresh/',
      'src/engine/plan/',
      'src/engine/resolve/',
      'src/engine/value/',
      'src/engine/state/fingerprint.ts',
    ],
  ],
  [
    'src/engine/specification/',
    [
      model,
      own('src/engine/specification'),
      'src/engine/catalogue/problem/',
      'src/engine/catalogue/read/',
      'src/generated/specifications/',
    ],
  ],
  // engine.ts, its use cases and what they share: above all stages.
  ['src/engine/', ['src/engine/', 'package.json']],
  ['src/providers/http/', [model, own('src/providers/http')]],
  // Any service that a definition describes; knows no provider.
  [
    'src/providers/rest/',
    [
      model,
      own('src/providers/rest'),
      'src/providers/http/',
      'src/providers/package.ts',
      'src/providers/package-schema.ts',
    ],
  ],
  [
    'src/providers/registry.ts',
    [...[model, 'src/providers/platform/package.ts', 'src/providers/cloud/package.ts'], 'src/providers/own/package.ts'],
  ],
  [
    'src/providers/platform/',
    [
      model,
      own('src/providers/platform'),
      'src/providers/http/',
      'src/providers/rest/',
      'src/providers/definition-files.ts',
      'src/providers/package.ts',
      'src/providers/package-schema.ts',
      'src/providers/validate.ts',
      'src/generated/',
      'schemas/',
    ],
  ],
  [
    'src/providers/cloud/',
    [
      model,
      own('src/providers/cloud'),
      'src/providers/http/',
      'src/providers/package.ts',
      'src/providers/package-schema.ts',
      'src/providers/validate.ts',
      'src/generated/',
      'schemas/',
    ],
  ],
  ['src/providers/', [model, 'src/providers/', 'src/generated/', 'schemas/']],
  // The functions for programs are made over the runtime they share.
  ['src/generated/sdk.ts', ['src/generated/', model, 'src/sdk/']],
  ['src/generated/', ['src/generated/', model]],
  // The rooms of a report, each of which sees only those before it; the files beside them put reports together.
  ['src/report/words/', [model, own('src/report/words')]],
  ['src/report/diff/', [model, ...rooms('src/report', 'words diff')]],
  ['src/report/openapi/', [model, ...rooms('src/report', 'words diff openapi')]],
  ['src/report/view/', [model, ...rooms('src/report', 'words diff openapi view')]],
  ['src/report/document/', [model, ...rooms('src/report', 'words diff openapi view document')]],
  ['src/report/text/', [model, ...rooms('src/report', 'words diff openapi view document text')]],
  ['src/report/editor/', [model, 'src/engine/lookups/', ...rooms('src/report', 'words editor')]],
  ['src/report/markdown/', [model, ...rooms('src/report', 'words diff openapi view document markdown')]],
  ['src/report/html/', [model, ...rooms('src/report', 'words diff openapi view document html')]],
  ['src/report/ci/', [model, ...rooms('src/report', 'words view markdown ci')]],
  ['src/report/', [model, own('src/report')]],
  ['src/notify/', [model, 'src/report/', own('src/notify')]],
  [
    'src/cli/process/process-host.ts',
    [
      own('src/cli/process'),
      'src/engine/engine.ts',
      'src/providers/registry.ts',
      'src/providers/http/proxied-fetch.ts',
      'src/providers/platform/settings.ts',
      'src/sandbox/',
    ],
  ],
  // The rooms of the command line, likewise; a command is put together from them.
  ['src/cli/process/', [...api, 'src/report/', own('src/cli/process')]],
  ['src/cli/arguments/', [...api, 'src/engine/lookups/', 'src/report/', ...rooms('src/cli', 'process arguments')]],
  ['src/cli/terminal/', [...api, 'src/report/', ...rooms('src/cli', 'process arguments terminal')]],
  [
    'src/cli/run/',
    [...api, 'src/report/', 'src/cli/command-list.ts', ...rooms('src/cli', 'process arguments terminal run files')],
  ],
  [
    'src/cli/files/',
    [...api, 'src/engine/plan/saved-plan.ts', 'src/engine/trust/paths.ts', 'src/report/', own('src/cli/files')],
  ],
  ['src/cli/review/', [...api, 'src/report/', 'src/review/', ...rooms('src/cli', 'run files review')]],
  ['src/cli/help/', [model, 'src/cli/command-list.ts', ...rooms('src/cli', 'process run help')]],
  [
    'src/cli/plan/',
    [
      ...[...api, 'src/engine/plan/saved-plan.ts', 'src/report/', 'src/review/'],
      ...rooms('src/cli', 'process arguments run files review plan'),
    ],
  ],
  [
    'src/cli/drift/',
    [
      ...[...api, 'src/report/', 'src/notify/', 'src/review/'],
      ...rooms('src/cli', 'process arguments run files drift'),
    ],
  ],
  ['src/cli/state/', [...api, ...rooms('src/cli', 'arguments state')]],
  ['src/cli/init/', [model, 'src/report/', ...rooms('src/cli', 'process init')]],
  ['src/cli/command-list.ts', rooms('src/cli', 'run commands')],
  [
    'src/cli/',
    [
      ...[...api, 'src/engine/resolve/graph.ts', 'src/engine/trust/paths.ts'],
      ...['src/cli/', 'src/report/', 'src/review/', 'src/types-compile/'],
    ],
  ],
  // Reads descriptions of APIs, and knows what a definition is; nothing here talks to anybody.
  ['src/types-compile/', [model, own('src/types-compile'), 'src/providers/rest/']],
  ['src/review/', [model, own('src/review')]],
  ['src/sandbox/', [own('src/sandbox'), 'schemas/', 'package.json']],
  [
    'src/sdk/',
    [
      ...[model, own('src/sdk'), 'src/engine/lookups/', 'src/engine/reads/', 'src/engine/find-objects.ts'],
      'src/engine/version.ts',
      ...['src/providers/registry.ts', 'src/providers/platform/settings.ts'],
    ],
  ],
  // What authors of providers get: the engine to try theirs with, and what makes a provider of definitions.
  ['src/kit/', [own('src/kit'), 'src/engine/', 'src/providers/', 'src/generated/']],
  ['src/index.ts', ['src/engine/', 'src/providers/registry.ts', 'src/report/', 'src/sdk/', 'src/generated/']],
];

/** Third parties and the one place each lives in. */
const homes: Readonly<Record<string, readonly string[]>> = {
  'js-yaml': ['js-yaml-events', 'too-deep'].map((name) => `src/engine/catalogue/read/${name}.ts`),
  yaml: [
    'src/engine/catalogue/',
    'src/engine/trust/read-policy.ts',
    // Two spellings of one specification are the same.
    'src/engine/value/document.ts',
    'src/engine/value/respell.ts',
    // A program of Pulumi's is YAML, too; loaded only then.
    'src/engine/export/pulumi-program.ts',
    // A changed description in YAML is shown by structure; loaded only then.
    'src/report/diff/structured-text.ts',
    // Objects as they are shown; loaded only then.
    'src/report/text/objects.ts',
    'src/report/text/example.ts',
    'src/types-compile/read-document.ts',
    'src/sandbox/',
  ],
  ajv: ['src/engine/catalogue/', 'src/generated/', 'src/providers/compiled-rules.ts'],
  re2js: ['src/engine/model/linear-pattern.ts'],
  'p-limit': ['src/engine/reads/in-parallel.ts', 'src/engine/apply/slots.ts'],
  'fast-json-patch': ['src/engine/plan/', 'src/providers/platform/'],
  undici: ['src/providers/http/', 'src/providers/cloud/'],
  'google-auth-library': ['src/providers/cloud/'],
  '@oclif/core': ['src/cli/'],
  libsql: ['src/engine/state/', 'src/sandbox/'],
  pg: ['src/engine/state/'],
  fastify: ['src/sandbox/'],
  diff: ['src/report/diff/text-diff.ts'],
  '@octokit/core': ['src/review/github/'],
  '@gitbeaker/rest': ['src/review/gitlab/'],
};

describe('import directions', () => {
  it('are as docs/architecture.md says', () => {
    const wrong = inside.filter(({ file, target }) => {
      const row = directions.find(([importer]) => file.startsWith(importer));
      return row === undefined || ![codes, ...row[1]].some((allowed) => target.startsWith(allowed));
    });
    expect(wrong.map(({ file, target }) => `${file} → ${target}`)).toEqual([]);
  });

  it('form no cycle, types and what is loaded late counted', () => {
    // The list of commands points back at whatever a command is made of.
    expect(firstCycle(inside.filter(({ file }) => file !== 'src/cli/command-list.ts'))).toEqual([]);
  });

  it('keep every third party in its home', () => {
    const wrong = imports
      .filter(({ target }) => isPackage(target) && target !== 'node')
      .filter(({ file, target }) => !(homes[target] ?? []).some((home) => file.startsWith(home)));
    expect(wrong.map(({ file, target }) => `${file} → ${target}`)).toEqual([]);
  });

  it('bring along with the library no form of a report that nobody may ask for', () => {
    const forms = ['ci/github', 'ci/gitlab', 'ci/sarif', 'html/plan', 'html/drift', 'markdown/plan'];
    const heavy = [...forms, 'plan-reports'].map((name) => `src/report/${name}.ts`);
    expect(files).toEqual(expect.arrayContaining(heavy));
    const together = loadedWith('src/index.ts');
    expect(together).toContain('src/report/text/plan.ts');
    expect(heavy.filter((file) => together.has(file))).toEqual([]);
  });

  it('find what they look for', () => {
    // Guards against a pattern that silently matches nothing.
    expect(inside.length).toBeGreaterThan(files.length);
    expect(
      inside.filter(({ target }) => target.startsWith('src/') && !files.includes(target) && !target.endsWith('.ts')),
    ).toEqual([]);
  });
});

describe('docs/lifecycle.md', () => {
  it('names the shapes of an update where they are declared', () => {
    const text = readFileSync(join(root, 'docs/lifecycle.md'), 'utf8');
    const rows = [...text.matchAll(/^\| `(\w+)` +\|[^|]*\| `([\w/.-]+):(\d+)` +\|$/gm)];
    expect(rows.length).toBeGreaterThan(12);
    expect(rows.length).toBeLessThanOrEqual(16);
    const wrong = rows.filter(([, name = '', file = '', line = '']) => {
      const lines = readFileSync(join(root, 'src', file), 'utf8').split('\n');
      const at = lines.findIndex((one) => new RegExp(`^export (?:interface|type|class) ${name}\\b`).test(one)) + 1;
      // A line may move a little under who reads.
      return at === 0 || Math.abs(at - Number(line)) > 25;
    });
    expect(wrong.map(([row]) => row)).toEqual([]);
  });
});

describe('docs/architecture.md', () => {
  it('sends readers to files that are there', () => {
    const text = readFileSync(join(root, 'docs/architecture.md'), 'utf8');
    const named = [...text.matchAll(/^\| [^|]+ \| `([^`]+\.ts)` +\|$/gm)].map((match) => `src/${match[1] ?? ''}`);
    expect(named.length).toBeGreaterThan(20);
    expect(named.filter((file) => !files.includes(file))).toEqual([]);
  });

  it('has a row for every folder', () => {
    const text = readFileSync(join(root, 'docs/architecture.md'), 'utf8');
    const folders = new Set(
      files.map((file) =>
        file
          .split('/')
          .slice(0, file.startsWith('src/engine/') ? 3 : 2)
          .join('/'),
      ),
    );
    const missing = [...folders].filter(
      (folder) => !folder.endsWith('.ts') && !text.includes(folder.replace(/^src\//, '')),
    );
    expect(missing).toEqual([]);
  });
});

describe('sources', () => {
  it('rather guard than claim a type: casts grow fewer', () => {
    const casts = files
      .filter((file) => !file.startsWith('src/generated/') && / as (?!const\b)/.test(code(file)))
      .flatMap((file) => nodesOf(file, (node) => ts.isAsExpression(node) && !ts.isConstTypeReference(node.type)));
    // When fewer are left, this number follows them down.
    const bound = 158;
    expect(casts.length, casts.join('\n')).toBeLessThanOrEqual(bound);
    expect(casts.length).toBeGreaterThan(bound - 5);
  });

  it('export nothing that no other file uses', () => {
    // What builds and people start from, and definitions, which are found by their folder.
    const starts = ['src/index.ts', 'src/kit/index.ts', 'src/cli/help/manifest.ts', 'src/providers/platform/types/'];
    const readers = globSync(['{src,test,scripts,pulumi,bench}/**/*.{ts,mjs}', '*.{ts,mjs}'], {
      ...{ cwd: root, ignore: ['**/node_modules/**', '**/dist/**'] },
    });
    const words = new Map<string, ReadonlySet<string>[]>();
    const whole = new Set<string>();
    for (const reader of readers) {
      const own = new Set(code(reader).match(/\w+/g));
      for (const { target } of importsOf(reader)) words.set(target, [...(words.get(target) ?? []), own]);
      for (const [, from = ''] of code(reader).matchAll(/^export (?:type )?\* from '([^']+)'/gm))
        whole.add(resolved(reader, from));
    }
    const exported = /^export (?:declare |abstract |async )*(?:interface|type|function|const|class) (\w+)/gm;
    const unused = files
      .filter((file) => ![...starts, 'src/generated/', ...whole].some((start) => file.startsWith(start)))
      .flatMap((file) =>
        [...code(file).matchAll(exported)]
          .map(([, name = '']) => name)
          .filter((name) => words.get(file)?.some((known) => known.has(name)) !== true)
          .map((name) => `${file}: ${name}`),
      );
    expect(unused).toEqual([]);
  });

  it('print nothing outside the command line', () => {
    // The sandbox is a program of its own: its internal errors have nowhere else to go.
    const exceptions = new Set(['src/sandbox/server.ts']);
    const printing = files.filter(
      (file) =>
        !file.startsWith('src/cli/') &&
        !exceptions.has(file) &&
        /\bconsole\.|process\.(exit|stdout|stderr)\b/.test(code(file)),
    );
    expect(printing).toEqual([]);
  });

  it('are pure in the planner: no await, no clock, no files', () => {
    const impure = files
      .filter((file) => file.startsWith('src/engine/plan/'))
      .filter((file) => /\bawait\b|\bDate\b|Math\.random|from 'node:(?!crypto)/.test(code(file)));
    expect(impure).toEqual([]);
  });

  it('hold the words of the wire in definitions, hooks, lookups and wire.ts', () => {
    const homes = ['types/', 'hooks/', 'lookups/', 'wire.ts'].map((name) => `src/providers/platform/${name}`);
    const wire = /['"`]\/v\d\/|\[(?:eq|size|number)\]|['"`][a-z]+(?:_[a-z]+)+['"`]/;
    const speaking = files
      .filter((file) => file.startsWith('src/providers/platform/') || file.startsWith('src/providers/rest/'))
      .filter((file) => !homes.some((home) => file.startsWith(home)) && wire.test(code(file)));
    // The rule by which names are made: its own name is an example of it.
    expect(speaking).toEqual([
      'src/providers/platform/convert.ts',
      'src/providers/rest/names.ts',
      'src/providers/rest/style.ts',
    ]);
  });

  it('name the platform only where its wire is described', () => {
    const brand = /k[o]ng|k[o]nnect/i;
    const home = new Set(['src/providers/platform/wire.ts', 'src/sandbox/wire.ts']);
    const texts = globSync(
      [
        'src/**/*',
        'docs/**/*',
        'scripts/**/*',
        'schemas/*',
        'fixtures/**/*.{yaml,yml,md,json}',
        'bin/*',
        'README.md',
        'CHANGELOG.md',
        'package.json',
      ],
      { cwd: root },
    );
    expect(texts.filter((file) => !home.has(file) && brand.test(readFileSync(join(root, file), 'latin1')))).toEqual([]);
  });
});

describe('the reading of one object', () => {
  it('stands where answers are weighed: what is asked elsewhere decides on no absence', () => {
    const asking = /(?:provider|reads|typeof|\)\))\s*\.(?:read|readAgain)\(\s*(?:this\.)?(?:type|parent)\b/;
    const rooms = ['src/engine/refresh/', 'src/engine/reads/'];
    const found = files.filter(
      (file) =>
        file.startsWith('src/engine/') &&
        !rooms.some((room) => file.startsWith(room)) &&
        asking.test(readFileSync(join(root, file), 'utf8')),
    );
    expect(found.sort()).toEqual([
      'src/engine/apply/after-write.ts',
      'src/engine/apply/before-delete.ts',
      'src/engine/apply/before-write.ts',
      'src/engine/apply/delete.ts',
      'src/engine/apply/examine-intents.ts',
      'src/engine/apply/send-create.ts',
      'src/engine/apply/update.ts',
      'src/engine/export/read-objects.ts',
      'src/engine/find-objects.ts',
    ]);
  });
});

describe('the comparison of a field', () => {
  const engine = files.filter((file) => file.startsWith('src/engine/'));

  it('stands in one place: nothing else says what drifted', () => {
    const made = named(engine, 'drifted', (node) => {
      const { parent } = node;
      const isMember =
        (ts.isPropertyAssignment(parent) || ts.isShorthandPropertyAssignment(parent)) && parent.name === node;
      return isMember || (ts.isVariableDeclaration(parent) && parent.name === node);
    });
    expect(new Set(made)).toEqual(new Set(['src/engine/value/field-comparison.ts: movement']));
  });

  it('carries the key of secrets in itself: few functions are given it', () => {
    const given = named(engine, 'fingerprint', ({ parent }) => ts.isParameter(parent) || ts.isBindingElement(parent));
    expect(given).toContain('src/engine/value/seal.ts: constructor');
    expect(given.length).toBeLessThanOrEqual(5);
  });
});

/** The files that one brings along by its own imports and theirs, types and the lazy ones left out. */
function loadedWith(entry: string): ReadonlySet<string> {
  const found = new Set([entry]);
  for (const file of found)
    for (const one of inside) if (one.file === file && !one.typeOnly && !one.lazy) found.add(one.target);
  return found;
}

/** Where a name stands so, as `file: function`. */
function named(all: readonly string[], name: string, is: (node: ts.Identifier) => boolean): readonly string[] {
  return all.flatMap((file) => {
    const text = readFileSync(join(root, file), 'utf8');
    if (!text.includes(name)) return [];
    const found: string[] = [];
    const visit = (node: ts.Node, within: string): void => {
      if (ts.isIdentifier(node) && node.text === name && is(node)) found.push(`${file}: ${within}`);
      const inside = ts.isFunctionLike(node)
        ? (node.name?.getText() ?? (ts.isConstructorDeclaration(node) ? 'constructor' : within))
        : within;
      ts.forEachChild(node, (child) => visit(child, inside));
    };
    visit(ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true), '');
    return found;
  });
}

/** Where such a node stands, as `file:line`. */
function nodesOf(file: string, is: (node: ts.Node) => boolean): readonly string[] {
  const source = ts.createSourceFile(file, readFileSync(join(root, file), 'utf8'), ts.ScriptTarget.Latest);
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    if (is(node)) found.push(`${file}:${String(source.getLineAndCharacterOfPosition(node.getStart(source)).line + 1)}`);
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

function code(file: string): string {
  return readFileSync(join(root, file), 'utf8').replace(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, '');
}

/** The files of one ring, or nothing. Iterative, so that a long chain can't overflow the stack. */
function firstCycle(edges: readonly Import[]): readonly string[] {
  const targets = new Map<string, string[]>();
  for (const { file, target } of edges) targets.set(file, [...(targets.get(file) ?? []), target]);
  const settled = new Set<string>();
  for (const start of targets.keys()) {
    const path: string[] = [];
    const stack: { node: string; next: number }[] = [];
    const enter = (node: string): void => {
      path.push(node);
      stack.push({ node, next: 0 });
    };
    if (!settled.has(start)) enter(start);
    for (let top = stack.at(-1); top !== undefined; top = stack.at(-1)) {
      const target = (targets.get(top.node) ?? [])[top.next];
      top.next += 1;
      if (target === undefined) {
        settled.add(top.node);
        stack.pop();
        path.pop();
      } else if (path.includes(target)) return [...path.slice(path.indexOf(target)), target];
      else if (!settled.has(target)) enter(target);
    }
  }
  return [];
}
