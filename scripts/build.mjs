// Builds dist/: the program and the library in one set of shared chunks, the commands' entries, and the types.
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createRequire, isBuiltin } from 'node:module';
import { join, posix, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { types } from 'node:util';
import { build } from 'esbuild';
import { billOfMaterials } from './release/bill-of-materials.mjs';
import { groupChunks } from './group-chunks.mjs';
import { spreadLater } from './spread-later.mjs';
import { bundledPackages, thirdPartyLicenses } from './third-party-licenses.mjs';
import { sourceOf, workspaces } from './workspaces.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
// `--out FOLDER` builds somewhere else, so that a test can pack the package without touching the one in use.
const elsewhere = process.argv.includes('--out') ? process.argv[process.argv.indexOf('--out') + 1] : undefined;
const dist = elsewhere === undefined ? join(root, 'dist') : resolve(elsewhere);
// Built beside and moved at the end: a failed build leaves the last good one in place.
const out = elsewhere === undefined ? join(root, 'node_modules/.cache/platform-sync-build') : `${dist}.building`;

// What is native stays outside and is the package's only dependency; so does what other packages ask for if it is there.
const external = ['libsql', 'pg-native', 'pg-cloudflare', 'typescript', 'ts-node', 'tsx'];

// CommonJS packages inside the bundle expect these names.
const banner = [
  "import{createRequire as __createRequire}from'node:module'",
  "import{fileURLToPath as __toPath}from'node:url'",
  "import{dirname as __folderOf}from'node:path'",
  'const require=__createRequire(import.meta.url),__filename=__toPath(import.meta.url),__dirname=__folderOf(__filename);',
].join(';');

/**
 * `await import('pkg')` of a CommonJS package inside a bundle gives a default export only, where Node gives names too.
 * This puts a module with the names in between. Getters of others are left out: they would load what they stand for.
 */
const namesOfLazyPackages = {
  name: 'names-of-lazy-packages',
  setup(builder) {
    const namespace = 'lazy-package';
    builder.onResolve({ filter: /^[^./]/ }, ({ path, kind, resolveDir }) => {
      const lazy =
        kind === 'dynamic-import' && !isBuiltin(path) && !external.includes(path) && sourceOf(path) === undefined;
      return lazy ? { path, namespace, pluginData: resolveDir } : undefined;
    });
    builder.onLoad({ filter: /.*/, namespace }, ({ path, pluginData }) => ({
      contents: withNames(path, pluginData),
      resolveDir: pluginData,
    }));
  },
};

function withNames(path, folder) {
  const exported = createRequire(join(folder, 'importer.js'))(path);
  const from = JSON.stringify(path);
  if (types.isModuleNamespaceObject(exported))
    return `export * from ${from};${'default' in exported ? `export { default } from ${from};` : ''}`;
  // Compiled from ES modules, its default would be what it calls so, where Node's is the whole of it; and its getters only
  // hand on what is loaded already.
  const isCompiled = exported.__esModule === true;
  const names = Object.entries(Object.getOwnPropertyDescriptors(exported))
    .filter(
      ([name, { get }]) => (isCompiled || get === undefined) && name !== 'default' && /^[A-Za-z$][\w$]*$/.test(name),
    )
    .map(([name]) => name);
  return [
    isCompiled ? `const all = require(${from});` : `import all from ${from};`,
    'export default all;',
    ...names.map((name, at) => `const _${at} = all.${name}; export { _${at} as ${name} };`),
  ].join('\n');
}

/**
 * What most runs never call comes in when it is first called: exports of a package that is loaded by name, and modules that are
 * one function. Until then each stands for itself, and gives its place to the real one. None is extended or asked for members
 * before it was called.
 */
const late = {
  name: 'late',
  setup(builder) {
    const namespace = 'late';
    builder.onResolve({ filter: /^yaml$/, namespace: 'file' }, ({ path, kind, resolveDir }) =>
      kind === 'import-statement' ? { path, namespace, pluginData: resolveDir, sideEffects: false } : undefined,
    );
    builder.onLoad({ filter: /.*/, namespace }, ({ path, pluginData }) => ({
      contents: lateExports(path, pluginData),
      resolveDir: pluginData,
    }));
    // Bytes cost whether they run or not: the real one is a file of its own.
    for (const importer of [namespace, 'lazy-package'])
      builder.onResolve({ filter: /^yaml$/, namespace: importer }, ({ path }) => ({ path, namespace: 'apart' }));
    builder.onLoad({ filter: /.*/, namespace: 'apart' }, ({ path }) => ({
      contents: `module.exports = require(${JSON.stringify(`./${path}.cjs`)});`,
    }));
    builder.onResolve({ filter: /.*/, namespace: 'apart' }, ({ path }) => ({ path, external: true }));
    // Most plans change no description of an API: what compares two is a file of its own, too.
    builder.onResolve({ filter: /\/diff\.js$/, namespace: 'file' }, ({ path, resolveDir }) =>
      /[\\/]openapi[\\/]diff\.js$/.test(join(resolveDir, path))
        ? { path: 'openapi-diff', namespace: 'comparison' }
        : undefined,
    );
    builder.onLoad({ filter: /.*/, namespace: 'comparison' }, () => ({
      contents:
        'let compare; export const openApiDiff = (...given) => (compare ??= require("./openapi-diff.cjs").openApiDiff)(...given);',
    }));
    builder.onResolve({ filter: /.*/, namespace: 'comparison' }, ({ path }) => ({ path, external: true }));
    // Few projects have rules of the house: what knows them is beside the program in a recipe and in the image, else a package.
    builder.onResolve({ filter: /\/spectral\.js$/, namespace: 'file' }, () => ({
      path: 'house-rules',
      namespace: 'optional',
    }));
    builder.onLoad({ filter: /.*/, namespace: 'optional' }, () => ({
      contents: `
        const isThere = (file) => { try { return require.resolve(file) !== ''; } catch { return false; } };
        const beside = '../house-rules/index.cjs';
        const library = isThere(beside) ? require(beside) : require('@platform-sync/house-rules');
        export const { Document, Resolver, Spectral, asyncapi, formats, functions, oas } = library;`,
    }));
    builder.onResolve({ filter: /.*/, namespace: 'optional' }, ({ path }) => ({ path, external: true }));
    // HTTP/2 is spoken to nobody, and Node's own part of it is large.
    builder.onResolve({ filter: /^\.\/client-h2\.js$/, namespace: 'file' }, ({ path, resolveDir }) => ({
      path,
      namespace: 'late-function',
      pluginData: resolveDir,
    }));
    builder.onLoad({ filter: /.*/, namespace: 'late-function' }, ({ path, pluginData }) => ({
      contents: `module.exports = (...given) => require(${JSON.stringify(path)})(...given);`,
      resolveDir: pluginData,
    }));
  },
};

function lateExports(path, folder) {
  const exported = createRequire(join(folder, 'importer.js'))(path);
  const names = Object.keys(exported).filter((name) => typeof exported[name] === 'function');
  return [
    `function load() { const all = require(${JSON.stringify(path)}); ${names.map((name) => `${name} = all.${name};`).join(' ')} }`,
    ...names.map(
      (name) =>
        `export let ${name} = function (...given) { load(); return new.target === undefined ? ${name}(...given) : new ${name}(...given); };`,
    ),
  ].join('\n');
}

/** The walk over folders looks for a matcher of file names wherever Node would find one, and never uses it. */
const withoutSearch = {
  name: 'without-search',
  setup(builder) {
    builder.onLoad({ filter: /[\\/]fdir[\\/]dist[\\/]index\.mjs$/ }, ({ path }) => {
      const text = readFileSync(path, 'utf8');
      const search = /try \{\s*__require\.resolve\("picomatch"\);\s*pm = __require\("picomatch"\);\s*\} catch \{\}/;
      if (!search.test(text)) throw new Error(`${path} no longer looks for picomatch: take this out of the build`);
      return { contents: text.replace(search, '') };
    });
  },
};

/** Its entry for CommonJS looks for its parts by names that no bundler sees. */
const moduleOfJsonc = {
  name: 'module-of-jsonc',
  setup(builder) {
    builder.onResolve({ filter: /^jsonc-parser$/ }, ({ path, resolveDir }) => {
      const main = createRequire(join(resolveDir, 'importer.js')).resolve(path);
      return { path: main.replace(/([\\/])lib([\\/])umd([\\/])/, '$1lib$2esm$3') };
    });
  },
};

rmSync(out, { recursive: true, force: true });
mkdirSync(out, { recursive: true });
const options = {
  absWorkingDir: root,
  bundle: true,
  format: 'esm',
  platform: 'node',
  target: 'node20.19',
  minifySyntax: true,
  minifyWhitespace: true,
  // Node shows the line an error was thrown on: it must not be the whole file.
  lineLimit: 160,
  legalComments: 'none',
  logLevel: 'warning',
  banner: { js: banner },
};
const { metafile } = await build({
  ...options,
  metafile: true,
  entryPoints: {
    'cli/main': 'src/cli/main.ts',
    ci: 'src/cli/ci.ts',
    'cli/help/manifest': 'src/cli/help/manifest.ts',
    index: 'src/sdk/index.ts',
    'kit/index': 'src/kit/index.ts',
  },
  outdir: out,
  chunkNames: 'chunks/[name]-[hash]',
  splitting: true,
  external,
  plugins: [namesOfLazyPackages, late, withoutSearch, moduleOfJsonc],
});
const apart = await build({
  ...options,
  metafile: true,
  entryPoints: ['yaml'],
  format: 'cjs',
  banner: {},
  outfile: join(out, 'chunks/yaml.cjs'),
});
const comparison = await build({
  ...options,
  metafile: true,
  entryPoints: ['src/report/openapi/diff.ts'],
  format: 'cjs',
  banner: {},
  outfile: join(out, 'chunks/openapi-diff.cjs'),
});
const rules = await build({
  ...options,
  metafile: true,
  entryPoints: ['src/engine/engine/specification/spectral.ts'],
  format: 'cjs',
  banner: {},
  outfile: join(out, 'house-rules/index.cjs'),
  plugins: [moduleOfJsonc],
});
await groupChunks(out, metafile, options);
for (const name of scripts()) {
  const path = join(out, name);
  const text = readFileSync(path, 'utf8');
  if (text.includes('{...')) writeFileSync(path, spreadLater(text, name));
}
for (const name of scripts().filter((file) => !file.startsWith('chunks')))
  for (const beside of ['./yaml.cjs', './openapi-diff.cjs'])
    if (readFileSync(join(out, name), 'utf8').includes(beside))
      throw new Error(`${name} looks for ${beside} beside it`);
await writeManifest();
const bundled = bundledPackages({ ...metafile.inputs, ...apart.metafile.inputs, ...comparison.metafile.inputs });
const ruling = bundledPackages(rules.metafile.inputs);
writeFileSync(join(out, 'THIRD-PARTY-LICENSES.txt'), thirdPartyLicenses(root, bundled));
writeFileSync(join(out, 'house-rules/THIRD-PARTY-LICENSES.txt'), thirdPartyLicenses(root, ruling));
writeFileSync(join(out, 'sbom.cdx.json'), `${JSON.stringify(billOfMaterials(root, bundled, ruling))}\n`);
rmSync(dist, { recursive: true, force: true });
renameSync(out, dist);
if (!process.argv.includes('--no-types')) writeTypes();
console.log(`built dist/ (${kilobytes()} kB of JavaScript)`);

/** Help reads the manifest instead of loading every command. */
async function writeManifest() {
  const { commandManifest } = await import(pathToFileURL(join(out, 'cli/help/manifest.js')).href);
  writeFileSync(join(out, 'commands.json'), JSON.stringify(await commandManifest()));
}

function writeTypes() {
  const compiler = join(root, 'node_modules/typescript/bin/tsc');
  const folder = join(dist, 'types');
  // Neighbours are found by their folders: what lies below node_modules would have no types of its own written.
  const config = join(dist, 'types.json');
  const paths = Object.fromEntries(
    [...workspaces].map(([name, each]) => [`${name}/*`, [join(root, each.folder, '*.ts')]]),
  );
  const compilerOptions = { paths, typeRoots: [join(root, 'node_modules/@types')] };
  writeFileSync(config, JSON.stringify({ extends: join(root, 'tsconfig.build.json'), compilerOptions }));
  execFileSync(process.execPath, [compiler, '-p', config, '--outDir', folder], { cwd: root, stdio: 'inherit' });
  rmSync(config);
  for (const name of readdirSync(folder, { recursive: true }).filter((each) => each.endsWith('.d.ts')))
    writeFileSync(
      join(folder, name),
      withTabs(withoutWorkspaces(name.replaceAll('\\', '/'), readFileSync(join(folder, name), 'utf8'))),
    );
  // Its place is the package's to say: it is the same wherever the source lies.
  writeFileSync(join(folder, 'index.d.ts'), "export * from './sdk/index.js';\n");
  const named = typesNamedFrom(folder, ['index.d.ts', 'kit/index.d.ts']);
  for (const name of readdirSync(folder, { recursive: true }).filter((each) => each.endsWith('.d.ts')))
    if (!named.has(join(folder, name))) rmSync(join(folder, name));
}

/** The compiler writes types of all that it meets; a user's compiler reads those that others name. */
function typesNamedFrom(folder, entries) {
  const named = new Set(entries.map((entry) => join(folder, entry)));
  for (const file of named)
    for (const [, path] of readFileSync(file, 'utf8').matchAll(/(?:\bfrom |\bimport\(|^import )['"](\.[^'"]+)['"]/gm))
      named.add(join(file, '..', path.replace(/\.js$/, '.d.ts')));
  return named;
}

/** Who installs the package has none of our workspaces: their types lie beside each other. */
function withoutWorkspaces(file, text) {
  return text.replace(/(?<=from |import\()(['"])(@platform-sync\/[^'"]+)\1/g, (_, quote, specifier) => {
    const path = posix.relative(posix.dirname(`src/${file}`), sourceOf(specifier).replace(/\.ts$/, '.js'));
    return `${quote}${path.startsWith('.') ? path : `./${path}`}${quote}`;
  });
}

/** A tab for four spaces: a tenth of the types. */
function withTabs(text) {
  return text.replace(/^(?: {4})+/gm, (spaces) => '\t'.repeat(spaces.length / 4));
}

function scripts(folder = out) {
  return readdirSync(folder, { recursive: true }).filter((name) => /\.c?js$/.test(name));
}

function kilobytes() {
  return Math.round(scripts(dist).reduce((sum, name) => sum + statSync(join(dist, name)).size, 0) / 1024);
}
