import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

export const root = fileURLToPath(new URL('..', import.meta.url));

const sources = join(root, 'src/');

const banner = [
  "import{createRequire as __createRequire}from'node:module'",
  "import{fileURLToPath as __toPath}from'node:url'",
  "import{dirname as __folderOf}from'node:path'",
  'const require=__createRequire(import.meta.url),__filename=__toPath(import.meta.url),__dirname=__folderOf(__filename);',
  // A planted bug that is come to while sources are loaded is off (search.ts).
  'globalThis.__planted=()=>false;',
].join(';');

/**
 * The simulator with the sources in one file: what is loaded later is there at once, and files are in memory. `changed` gives the text
 * of a source that is to be another one.
 */
export async function bundle(outfile, changed = () => undefined) {
  const plugin = {
    name: 'simulated disk and planted bugs',
    setup(builder) {
      builder.onResolve({ filter: /^node:fs(?:\/promises)?$/ }, ({ importer }) =>
        importer.startsWith(sources) ? { path: join(root, 'test/simulator/disk.ts') } : undefined,
      );
      builder.onLoad({ filter: /\/src\/.*\.ts$/ }, ({ path }) => {
        const contents = changed(relative(root, path));
        return contents === undefined ? undefined : { contents, loader: 'ts' };
      });
    },
  };
  await build(optionsWith(outfile, plugin));
  return outfile;
}

function optionsWith(outfile, plugin) {
  return {
    entryPoints: [join(root, 'test/simulator/main.ts')],
    ...{ outfile, bundle: true, platform: 'node', format: 'esm', target: 'node20', logLevel: 'error' },
    // As the program is released: literals of literals are one, which the engine makes at once.
    minifySyntax: true,
    external: ['libsql', 'pg-native', 'pg-cloudflare', 'typescript', 'ts-node', 'tsx', 'esbuild'],
    banner: { js: banner },
    plugins: [plugin],
  };
}
