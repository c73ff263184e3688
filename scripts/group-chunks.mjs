// Every file that is loaded costs a third of a millisecond, and splitting makes one of whatever two commands share. What is loaded
// together is put into one file here, by the modules that ask for it.
import { createHash } from 'node:crypto';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join, posix } from 'node:path';
import { build } from 'esbuild';

const shown = [
  'src/cli/commands/show.ts',
  'src/report/view/plan-views.ts',
  'src/cli/review/review-place.ts',
  'src/review/pipeline.ts',
];
const validating = [
  'src/engine/engine/engine.ts',
  'src/sdk/registry.ts',
  'src/cli/commands/validate.ts',
  'src/engine/engine/use-cases/specifications.ts',
  'src/providers/platform/package.ts',
  'src/providers/platform/generated/validators.js',
];
const connecting = ['src/providers/platform/provider.ts', 'src/providers/rest/read.ts'];
const planning = ['src/engine/engine/use-cases/plan-project.ts', 'src/cli/commands/plan.ts'];
// A plan with something to look for, and what writes.
const finding = ['src/engine/engine/use-cases/find-needed.ts', 'src/providers/rest/find.ts'];
const writing = [
  ...['src/engine/state/sql-lease.ts', 'src/engine/state/sql-runs.ts', 'src/engine/state/sql-write.ts'],
  'src/providers/rest/write.ts',
];
const sources = ['find-files', 'read-source', 'combine'].map((name) => `src/engine/catalogue/sources/${name}.ts`);

/**
 * Name → modules that are loaded by name (`import('…')`) or first of all. A group is what they import, without what an earlier group
 * holds; so a group needs earlier ones only. `both`: what both lists import. Small enough that nobody who needs a part pays much for the rest.
 */
const groups = {
  start: ['src/cli/main.ts', 'src/cli/commands/version.ts'],
  // What the engine shares with help and with what shows a plan, which need no engine.
  shared: { both: [['src/cli/help/oclif-config.ts', ...shown], validating] },
  // A plan is shown without the engine and without a network.
  show: shown,
  compared: ['src/report/view/compared.ts'],
  reports: ['src/report/reports.ts'],
  engine: validating,
  sources,
  // What a provider shares with a plan, which others need no plan for.
  state: [
    ...['src/engine/state/open.ts', 'src/engine/state/sql-store.ts', 'src/engine/state/migrations.ts'],
    { both: [connecting, planning] },
  ],
  // Shared with the library, which keeps state in memory, too; a project with PostgreSQL has none of it.
  sqlite: ['src/engine/state/sqlite.ts'],
  provider: connecting,
  // A plan with state alone connects to nobody.
  http: ['src/providers/rest/http/direct-connections.ts'],
  plan: planning,
  find: finding,
  write: writing,
};

/** Entries are asked for by their place: they stay where they are. */
const isEntry = (file) => !file.startsWith('chunks/');

/** Groups the files of a finished build in `out`; `options` are those it was made with. */
export async function groupChunks(out, metafile, options) {
  const { banner, ...others } = options;
  // No file is loaded for its effects alone.
  const shared = { ...others, logOverride: { 'ignored-bare-import': 'silent' } };
  const files = filesOf(metafile, out);
  for (const file of files.keys()) withoutIdle(join(out, file), banner.js);
  const homes = new Map();
  for (const [name, seeds] of Object.entries(groups)) {
    const members = membersOf(seeds, files).filter((file) => !homes.has(file) && !isEntry(file));
    const exported = members.flatMap((file) =>
      files.get(file).exports.map((each, nth) => ({ file, each, as: `${idOf(file)}_${nth}` })),
    );
    const text = await bundled(out, entryOf(members, exported), homes, new Set(members), shared);
    const home = `chunks/${name}-${createHash('sha256').update(text).digest('hex').slice(0, 8).toUpperCase()}.js`;
    for (const file of members) homes.set(file, { home, exported: exported.filter((each) => each.file === file) });
    writeFileSync(join(out, home), text);
  }
  const rest = [...files.keys()].filter((file) => !homes.has(file));
  await rewritten(out, rest, homes, shared);
  for (const file of homes.keys()) rmSync(join(out, file));
  const written = [...new Set([...homes.values()].map(({ home }) => home)), ...rest];
  for (const file of written) namespacesOf(out, file, homes);
}

/** The names that CommonJS packages expect are made only where one stands. */
function withoutIdle(path, banner) {
  const text = readFileSync(path, 'utf8');
  const own = text.startsWith(banner) ? text.slice(banner.length) : text;
  if (own !== text && !/\b(?:require|__filename|__dirname)\b/.test(own)) writeFileSync(path, own);
}

/** Output → what it exports, and what it loads at once; by paths below `out`. */
function filesOf({ outputs }, out) {
  const below = (path) => path.slice(path.indexOf(`${basename(out)}/`) + basename(out).length + 1);
  return new Map(
    Object.entries(outputs)
      .filter(([path]) => path.endsWith('.js'))
      .map(([path, { exports, imports, entryPoint }]) => [
        below(path),
        {
          exports,
          entryPoint,
          imports: imports
            .filter(({ kind, external }) => kind === 'import-statement' && !external)
            .map((each) => below(each.path)),
        },
      ]),
  );
}

/** What the modules import, each file behind those it needs. */
function membersOf(seeds, files) {
  if (seeds.both !== undefined) {
    const [one, other] = seeds.both.map((each) => membersOf(each, files));
    return one.filter((file) => other.includes(file));
  }
  const found = new Set();
  const add = (file) => {
    if (found.has(file)) return;
    for (const each of files.get(file).imports) add(each);
    found.add(file);
  };
  for (const seed of seeds) {
    if (seed.both !== undefined) {
      for (const each of membersOf(seed, files)) found.add(each);
      continue;
    }
    const file = [...files].find(([, { entryPoint }]) => entryPoint === seed)?.[0];
    if (file === undefined) throw new Error(`group-chunks.mjs names ${seed}, which nobody loads by name`);
    add(file);
  }
  return [...found];
}

const idOf = (file) => `c${createHash('sha256').update(file).digest('hex').slice(0, 6)}`;

function entryOf(members, exported) {
  return members
    .map((file) => {
      const own = exported.filter((each) => each.file === file).map(({ each, as }) => `${each} as ${as}`);
      const path = JSON.stringify(`./${file}`);
      return `export * as ${idOf(file)} from ${path}; export { ${own.join(', ')} } from ${path};`;
    })
    .join('\n');
}

async function bundled(out, contents, homes, members, options) {
  const { outputFiles } = await build({
    ...options,
    stdin: { contents, resolveDir: out, sourcefile: 'group.js' },
    outfile: join(out, 'chunks/group.js'),
    write: false,
    plugins: [linking(out, homes, members)],
  });
  return outputFiles[0].text;
}

async function rewritten(out, files, homes, options) {
  await build({
    ...options,
    entryPoints: files.map((file) => join(out, file)),
    outdir: out,
    outbase: out,
    allowOverwrite: true,
    plugins: [linking(out, homes, new Set())],
  });
}

/** Members are put in, what lies in an earlier group is taken from there, all else stays as it is. */
function linking(out, homes, members) {
  return {
    name: 'linking',
    setup(builder) {
      builder.onResolve({ filter: /.*/ }, ({ path, kind, resolveDir, namespace }) => {
        if (kind === 'entry-point') return undefined;
        if (namespace === 'grouped' || kind !== 'import-statement' || !path.startsWith('.'))
          return { path, external: true };
        const file = join(resolveDir, path).slice(out.length + 1);
        // What stands in for a file of a group names the group as its importer would.
        const name = `${basename(resolveDir) === 'chunks' || members.size > 0 ? '.' : posix.relative(resolveDir.slice(out.length + 1), 'chunks')}:${file}`;
        if (homes.has(file)) return { path: name, namespace: 'grouped', sideEffects: false };
        return members.has(file) ? { path: join(out, file) } : { path, external: true };
      });
      builder.onLoad({ filter: /.*/, namespace: 'grouped' }, ({ path }) => {
        const [folder, file] = path.split(':');
        const { home, exported } = homes.get(file);
        const names = exported.map(({ each, as }) => `${as} as ${each}`).join(', ');
        return { contents: `export { ${names} } from ${JSON.stringify(relativePath(folder, basename(home)))};` };
      });
    },
  };
}

function relativePath(folder, name) {
  const path = posix.join(folder, name);
  return path.startsWith('.') ? path : `./${path}`;
}

/** `import('./file.js')` of a file that was put into a group gives what that file exported. */
function namespacesOf(out, file, homes) {
  const text = readFileSync(join(out, file), 'utf8');
  const changed = text.replace(/import\("(\.[^"]+)"\)/g, (found, path) => {
    const target = posix.join(posix.dirname(file), path);
    const home = homes.get(target)?.home;
    if (home === undefined) return found;
    const from = relativePath(posix.relative(posix.dirname(file), 'chunks'), basename(home));
    return `import("${from}").then(all=>all.${idOf(target)})`;
  });
  if (changed !== text) writeFileSync(join(out, file), changed);
}
