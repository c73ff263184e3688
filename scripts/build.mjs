// Builds dist/: the program and the library in one set of shared chunks, the commands' cards, and the types.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, rmSync, statSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';

const root = fileURLToPath(new URL('..', import.meta.url));
const out = join(root, 'dist');
const withTypes = !process.argv.includes('--no-types');

rmSync(out, { recursive: true, force: true });
mkdirSync(out, { recursive: true });
await bundle();
await writeCards();
if (withTypes)
  execFileSync(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '-p', 'tsconfig.build.json'], {
    cwd: root,
    stdio: 'inherit',
  });
console.log(`built dist/ (${kilobytes(out)} kB of JavaScript)`);

async function bundle() {
  const entryPoints = ['src/cli/main.ts', 'src/index.ts', 'src/cli/cards.ts'].filter((file) =>
    existsSync(join(root, file)),
  );
  await build({
    absWorkingDir: root,
    entryPoints,
    outdir: 'dist',
    outbase: 'src',
    chunkNames: 'chunks/[name]-[hash]',
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20.19',
    minifySyntax: true,
    minifyWhitespace: true,
    legalComments: 'none',
    sourcemap: 'linked',
    sourcesContent: false,
    logLevel: 'warning',
    // Native or heavy packages stay outside; so does what the framework only asks for in development.
    plugins: [namesOfLazyPackages],
    external: ['libsql', 'pg', 'pg-native', 'fastify', 'google-auth-library', 'typescript', 'ts-node', 'tsx'],
    // CommonJS packages inside the bundle expect these names.
    banner: {
      js: "import{createRequire as __createRequire}from'node:module';import{fileURLToPath as __toPath}from'node:url';import{dirname as __folderOf}from'node:path';const require=__createRequire(import.meta.url),__filename=__toPath(import.meta.url),__dirname=__folderOf(__filename);",
    },
  });
}

/**
 * `await import('pkg')` of a CommonJS package inside a bundle gives a default export only, where Node gives names too.
 * This puts a module with the names in between. Getters are left out: they would load what they stand for.
 */
const namesOfLazyPackages = {
  name: 'names-of-lazy-packages',
  setup(builder) {
    const namespace = 'lazy-package';
    const external = new Set(externalPackages);
    builder.onResolve({ filter: /^[^./]/ }, ({ path, kind, resolveDir }) => {
      const lazy = kind === 'dynamic-import' && !path.startsWith('node:') && !external.has(path);
      return lazy ? { path, namespace, pluginData: resolveDir } : undefined;
    });
    builder.onLoad({ filter: /.*/, namespace }, ({ path, pluginData }) => {
      const found = createRequire(join(root, 'package.json'))(path);
      const names = Object.entries(Object.getOwnPropertyDescriptors(found))
        .filter(([name, { get }]) => get === undefined && /^[A-Za-z_$][\w$]*$/.test(name) && name !== 'default')
        .map(([name]) => name);
      const contents = `import all from ${JSON.stringify(path)};\nexport default all;\nexport const ${names.map((name) => `$${name} = all.${name}`).join(', ')};\nexport { ${names.map((name) => `$${name} as ${name}`).join(', ')} };\n`;
      return { contents: contents.replace('export const', 'const'), resolveDir: pluginData };
    });
  },
};

/** Help reads the cards instead of loading every command. */
async function writeCards() {
  const file = join(out, 'cli/cards.js');
  const { commandManifest } = await import(pathToFileURL(file).href);
  writeFileSync(join(out, 'commands.json'), JSON.stringify(await commandManifest()));
}

function kilobytes(folder) {
  const files = readdirSync(folder, { recursive: true }).filter((name) => name.endsWith('.js'));
  return Math.round(files.reduce((sum, name) => sum + statSync(join(folder, name)).size, 0) / 1024);
}
