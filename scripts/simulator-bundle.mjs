import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, context } from 'esbuild';

export const root = fileURLToPath(new URL('..', import.meta.url));

const sources = join(root, 'src/');

const banner = [
  "import{createRequire as __createRequire}from'node:module'",
  "import{fileURLToPath as __toPath}from'node:url'",
  "import{dirname as __folderOf}from'node:path'",
  'const require=__createRequire(import.meta.url),__filename=__toPath(import.meta.url),__dirname=__folderOf(__filename);',
].join(';');

/** The simulator with the sources in one file: what is loaded later is there at once, and files are in memory. */
export async function bundle(outfile) {
  await build(optionsFor(outfile));
  return outfile;
}

/**
 * Makes it again and again: `make(patches)` with texts of the sources to be replaced, by file, all of them among `files`. What stays as
 * it is, is not read anew.
 */
export async function bundler(outfile, files) {
  let patches = [];
  const made = await context(optionsFor(outfile, files, () => patches));
  const make = async (wanted) => {
    patches = wanted;
    await made.rebuild();
    return outfile;
  };
  return { make, close: () => made.dispose() };
}

function optionsFor(outfile, files = [], patches = () => []) {
  const plugin = {
    name: 'simulated disk and patches',
    setup(builder) {
      builder.onResolve({ filter: /^node:fs(?:\/promises)?$/ }, ({ importer }) =>
        importer.startsWith(sources) ? { path: join(root, 'test/simulator/disk.ts') } : undefined,
      );
      for (const file of new Set(files))
        builder.onLoad(
          { filter: new RegExp(`${file.replaceAll(/[.*+?^${}()|[\]\\/]/g, '\\$&')}$`) },
          async ({ path }) => ({
            contents: patched(
              await readFile(path, 'utf8'),
              patches().filter((patch) => patch.file === file),
            ),
            loader: 'ts',
          }),
        );
    },
  };
  return {
    entryPoints: [join(root, 'test/simulator/main.ts')],
    ...{ outfile, bundle: true, platform: 'node', format: 'esm', target: 'node20', logLevel: 'error' },
    external: ['libsql', 'pg-native', 'pg-cloudflare', 'typescript', 'ts-node', 'tsx', 'esbuild'],
    banner: { js: banner },
    plugins: [plugin],
  };
}

function patched(text, patches) {
  return patches.reduce((now, { file, before, after }) => {
    const parts = now.split(before);
    if (parts.length !== 2) throw new Error(`${file}: the text to be replaced stands there ${parts.length - 1} times`);
    return parts.join(after);
  }, text);
}
