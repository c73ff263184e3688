import { readFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import { globSync } from 'tinyglobby';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { sourceOf, workspaces } from '../scripts/workspaces.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const files = globSync('src/**/*.ts', { cwd: root }).sort();
const isGenerated = (file: string): boolean => file.includes('/generated/');

interface Import {
  readonly file: string;
  /** A file of src, or a package name. */
  readonly target: string;
  readonly specifier: string;
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
    return {
      file,
      target: resolved(file, specifier),
      specifier,
      typeOnly: match[1] !== undefined,
      lazy: match[4] !== undefined,
    };
  });
}

function resolved(file: string, specifier: string): string {
  if (!specifier.startsWith('.')) return sourceOf(specifier) ?? packageName(specifier);
  return posix.join(posix.dirname(file), specifier).replace(/\.js$/, '.ts');
}

function packageName(specifier: string): string {
  if (specifier.startsWith('node:') || builtinModules.includes(specifier)) return 'node';
  return specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');
}

/** What a package reads of the repository beside the sources. */
const data: Readonly<Record<string, readonly string[]>> = {
  'schemas/': ['src/providers/platform/', 'src/providers/cloud/', 'src/sandbox/'],
  'package.json': ['src/engine/engine/version.ts'],
  'scripts/generate/': ['pulumi/'],
};

const imports = files.flatMap(importsOf);
const inside = imports.filter(({ target }) => !isPackage(target));

function isPackage(target: string): boolean {
  return !['src/', 'pulumi/', ...Object.keys(data)].some((start) => target.startsWith(start));
}

/**
 * Rooms of a package: each sees itself and those named here. What stands in none of them sees its whole package. The first row
 * that holds the importer counts. Across packages, package.json says who may use whom.
 */
const rooms: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  core: {
    model: '',
    resolve: 'model',
    // What people know of objects, by the rules of their types.
    lookups: 'model',
    // One value of one field: what it is, how it is hidden, whether it differs. Every stage may ask.
    value: 'model',
  },
  catalogue: {
    // The rooms of the catalogue, each of which sees only those before it.
    problem: '',
    read: 'problem',
    edit: 'read',
    build: 'problem read',
    project: 'problem read build generated',
    sources: 'problem read build',
  },
  engine: {
    'api.ts': '',
    // Decides from data; the senders know its questions only, which are in the model.
    trust: '',
    // What must be known of a collection, and what that takes: everybody who reads asks here.
    reads: '',
    refresh: 'reads',
    plan: '',
    apply: 'reads api.ts refresh plan',
    specification: 'generated',
    // What earlier runs found: it opens projects by what the command line gives it, and knows the form of a plan.
    memory:
      'api.ts loaded-packages.ts version.ts reads plan/claims.ts plan/contents.ts plan/keys.ts plan/saved-plan.ts plan/step.ts use-cases/applicable-plan.ts',
  },
  rest: {
    http: '',
  },
  report: {
    // The rooms of a report, each of which sees only those before it; the files beside them put reports together.
    words: '',
    diff: 'words',
    openapi: 'words diff',
    view: 'words diff openapi',
    document: 'words diff openapi view',
    text: 'words diff openapi view document',
    editor: 'words',
    markdown: 'words diff openapi view document',
    html: 'words diff openapi view document',
    ci: 'words view document',
  },
  review: {
    notify: '',
  },
  sdk: {
    'registry.ts': '',
  },
  cli: {
    'process/process-host.ts': 'process',
    // The rooms of the command line, likewise; a command is put together from them.
    process: 'generated',
    arguments: 'process',
    terminal: 'process arguments',
    run: 'command-list.ts process arguments terminal files',
    files: '',
    review: 'run files',
    help: 'command-list.ts process run',
    plan: 'process arguments run files review',
    drift: 'process arguments run files review',
    state: 'process arguments',
    init: 'process',
    'command-list.ts': 'run commands',
  },
};

/** Third parties and the one place each lives in. */
const homes: Readonly<Record<string, readonly string[]>> = {
  'js-yaml': ['js-yaml-events', 'too-deep'].map((name) => `src/engine/catalogue/read/${name}.ts`),
  yaml: [
    'src/engine/catalogue/',
    'src/engine/engine/trust/permissions.ts',
    // Two spellings of one specification are the same.
    'src/engine/core/value/equality.ts',
    'src/engine/core/value/respell.ts',
    // A program of Pulumi's is YAML, too; loaded only then.
    'src/engine/engine/export/pulumi-program.ts',
    // A changed description in YAML is shown by structure; loaded only then.
    'src/report/diff/structured-text.ts',
    // Objects as they are shown; loaded only then.
    'src/report/text/objects.ts',
    'src/report/text/example.ts',
    'src/describe/read-document.ts',
    'src/sandbox/',
  ],
  ajv: ['src/providers/rest/schema/compiled-rules.ts'],
  '@marcbachmann/cel-js': ['src/engine/engine/rules/cel.ts'],
  'vscode-languageserver': ['src/cli/lsp/'],
  'vscode-languageserver-textdocument': ['src/cli/lsp/'],
  ...Object.fromEntries(
    ['core', 'formats', 'functions', 'ref-resolver', 'rulesets'].map((part) => [
      `@stoplight/spectral-${part}`,
      ['src/engine/engine/specification/spectral.ts', 'src/engine/engine/specification/house-rules.ts'],
    ]),
  ),
  'json-p3': ['src/engine/catalogue/read/specification-overlay.ts'],
  re2js: ['src/engine/core/model/linear-pattern.ts'],
  'p-limit': ['src/engine/engine/reads/in-parallel.ts', 'src/engine/engine/apply/slots.ts'],
  'fast-json-patch': ['src/engine/engine/plan/', 'src/providers/platform/'],
  undici: ['src/providers/rest/http/', 'src/providers/cloud/'],
  'google-auth-library': ['src/providers/cloud/'],
  '@oclif/core': ['src/cli/'],
  pg: ['src/engine/state/'],
  'graphile-worker': ['src/fleet/'],
  jose: ['src/fleet/'],
  fastify: ['src/sandbox/', 'src/fleet/console/', 'src/fleet/telemetry.ts'],
  '@opentelemetry/api': ['src/fleet/telemetry.ts'],
  'openid-client': ['src/fleet/console/login.ts'],
  diff: ['src/report/diff/text-diff.ts'],
  '@octokit/core': ['src/review/github/'],
  '@gitbeaker/rest': ['src/review/gitlab/'],
};

const packageOf = (file: string): string | undefined =>
  [...workspaces].find(([, { folder }]) => file.startsWith(`${folder}/`))?.[0];
/** A path below the folder of its package. */
const below = (file: string): string => file.slice((workspaces.get(packageOf(file) ?? '')?.folder ?? '').length + 1);
const isIn = (path: string, room: string): boolean => path === room || path.startsWith(`${room}/`);
const told = ({ file, target }: Import): string => `${file} → ${target}`;

describe('packages', () => {
  const across = [...imports, ...globSync('pulumi/src/**/*.ts', { cwd: root }).sort().flatMap(importsOf)];

  it('use those that their package.json names, and name no other', () => {
    const used = new Map([...workspaces.keys()].map((name) => [name, new Set<string>()]));
    for (const { file, target } of across) {
      const own = packageOf(file) ?? '';
      const other = isPackage(target) ? target : packageOf(target);
      if (other !== undefined && other !== 'node' && other !== own) used.get(own)?.add(other);
    }
    const named = [...workspaces].map(([name, { uses }]) => [name, uses]);
    expect(Object.fromEntries(named)).toEqual(
      Object.fromEntries([...used].map(([name, others]) => [name, [...others].sort()])),
    );
  });

  it('are reached by their names, never by the way to their folders', () => {
    const wrong = across.filter(({ file, target, specifier }) => {
      const from = packageOf(file);
      if (from === undefined) return true;
      if (specifier.startsWith('.') && packageOf(target) === from) return false;
      if (!specifier.startsWith('.')) return packageOf(target) === from;
      return !Object.entries(data).some(
        ([start, readers]) => target.startsWith(start) && readers.some((own) => file.startsWith(own)),
      );
    });
    expect(wrong.map(told)).toEqual([]);
  });

  it('form no circle', () => {
    const uses = [...workspaces].flatMap(([file, { uses: all }]) =>
      all.filter((target) => workspaces.has(target)).map((target) => ({ file, target })),
    );
    expect(uses.length).toBeGreaterThan(workspaces.size);
    expect(firstCycle(uses)).toEqual([]);
  });
});

describe('import directions', () => {
  it('inside a package are as its table of rooms says', () => {
    const wrong = inside.filter(({ file, target }) => {
      const own = packageOf(file);
      if (own !== packageOf(target) || target.endsWith('/generated/codes.ts')) return false;
      const row = Object.entries(rooms[own?.split('/')[1] ?? ''] ?? {}).find(([room]) => isIn(below(file), room));
      if (row === undefined) return false;
      return ![row[0], ...row[1].split(' ')].some((room) => room !== '' && isIn(below(target), room));
    });
    expect(wrong.map(told)).toEqual([]);
  });

  it('have a table whose rooms are there', () => {
    const gone = Object.entries(rooms).flatMap(([name, rows]) => {
      const { folder } = workspaces.get(`@platform-sync/${name}`) ?? { folder: 'no such package' };
      return Object.entries(rows)
        .flatMap(([room, seen]) => [room, ...seen.split(' ')])
        .filter((room) => room !== '' && !files.some((file) => isIn(file, `${folder}/${room}`)))
        .map((room) => `${name}: ${room}`);
    });
    expect(gone).toEqual([]);
  });

  it('lead from the command line alone into the memory, by one door', () => {
    const memory = 'src/engine/engine/memory/';
    const doors = inside.filter(({ file, target }) => target.startsWith(memory) && !file.startsWith(memory));
    expect(doors.length).toBeGreaterThan(0);
    expect(doors.filter(({ file, target }) => !file.startsWith('src/cli/') || target !== `${memory}memory.ts`)).toEqual(
      [],
    );
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
    const forms = ['ci/github', 'ci/gitlab', 'ci/sarif', 'html/document'];
    const heavy = [...forms, 'reports'].map((name) => `src/report/${name}.ts`);
    expect(files).toEqual(expect.arrayContaining(heavy));
    const together = loadedWith('src/sdk/index.ts');
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
    // A row for each package, and one for each room of those that all others stand on.
    const hasRooms = /^src\/engine\/(?:core|engine)\//;
    const folders = new Set(
      files
        .filter((file) => !isGenerated(file))
        .flatMap((file) => [
          workspaces.get(packageOf(file) ?? '')?.folder ?? file,
          ...(hasRooms.test(file) ? [file.split('/').slice(0, 4).join('/')] : []),
        ]),
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
      .filter((file) => !isGenerated(file) && / as (?!const\b)/.test(code(file)))
      .flatMap((file) => nodesOf(file, (node) => ts.isAsExpression(node) && !ts.isConstTypeReference(node.type)));
    // When fewer are left, this number follows them down.
    const bound = 158;
    expect(casts.length, casts.join('\n')).toBeLessThanOrEqual(bound);
    expect(casts.length).toBeGreaterThan(bound - 5);
  });

  it('export nothing that no other file uses', () => {
    // What builds and people start from, and definitions, which are found by their folder.
    const starts = [
      'src/sdk/index.ts',
      'src/kit/index.ts',
      'src/cli/help/manifest.ts',
      'src/fleet/main.ts',
      'src/providers/platform/types/',
    ];
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
      .filter((file) => !isGenerated(file) && ![...starts, ...whole].some((start) => file.startsWith(start)))
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
      .filter((file) => file.startsWith('src/engine/engine/plan/'))
      .filter((file) => /\bawait\b|\bDate\b|Math\.random|from 'node:(?!crypto)/.test(code(file)));
    expect(impure).toEqual([]);
  });

  it('hold the words of the wire in definitions, hooks, lookups, the gateway and wire.ts', () => {
    const homes = ['types/', 'hooks/', 'lookups/', 'gateway/', 'wire.ts'].map(
      (name) => `src/providers/platform/${name}`,
    );
    const wire = /['"`]\/v\d\/|\[(?:eq|size|number)\]|['"`][a-z]+(?:_[a-z]+)+['"`]/;
    const speaking = files
      .filter((file) => file.startsWith('src/providers/platform/') || /^src\/providers\/rest\/(?!own\/)/.test(file))
      .filter((file) => !homes.some((home) => file.startsWith(home)) && wire.test(code(file)));
    // The rule by which names are made: its own name is an example of it.
    expect(speaking).toEqual([
      'src/providers/platform/style.ts',
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
    const rooms = ['src/engine/engine/refresh/', 'src/engine/engine/reads/'];
    const found = files.filter(
      (file) =>
        file.startsWith('src/engine/') &&
        !rooms.some((room) => file.startsWith(room)) &&
        asking.test(readFileSync(join(root, file), 'utf8')),
    );
    expect(found.sort()).toEqual([
      'src/engine/engine/apply/after-write.ts',
      'src/engine/engine/apply/create.ts',
      'src/engine/engine/apply/delete.ts',
      'src/engine/engine/apply/examine-intents.ts',
      'src/engine/engine/apply/staleness.ts',
      'src/engine/engine/apply/update.ts',
      'src/engine/engine/export/read-objects.ts',
      'src/engine/engine/find-objects.ts',
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
    expect(new Set(made)).toEqual(new Set(['src/engine/core/value/field-comparison.ts: movement']));
  });

  it('carries the key of secrets in itself: few functions are given it', () => {
    const given = named(engine, 'fingerprint', ({ parent }) => ts.isParameter(parent) || ts.isBindingElement(parent));
    expect(given).toContain('src/engine/core/value/seal.ts: constructor');
    expect(given.length).toBeLessThanOrEqual(5);
  });
});

describe('a plan that finds everything as it was left', () => {
  // Each is loaded by name; all else that there is comes when somebody asks for it.
  const entries = [
    ...['src/cli/main.ts', 'src/cli/commands/plan.ts', 'src/sdk/registry.ts', 'src/engine/engine/engine.ts'],
    ...['src/engine/engine/use-cases/plan-project.ts', 'src/engine/state/open.ts', 'src/engine/state/sql-store.ts'],
    ...['src/engine/state/migrations.ts', 'src/engine/state/sqlite.ts', 'src/providers/platform/package.ts'],
    ...['src/providers/platform/provider.ts', 'src/providers/rest/http/direct-connections.ts'],
  ];

  it('loads few of the files', () => {
    const loaded = new Set(entries.flatMap((entry) => [...loadedWith(entry)]));
    expect(loaded.size).toBeLessThanOrEqual(256);
    expect([...loaded].filter((file) => /\/(?:html|markdown|openapi\/schema|export|sources)\b/.test(file))).toEqual([]);
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
function firstCycle(edges: readonly Pick<Import, 'file' | 'target'>[]): readonly string[] {
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
