import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

export const root = fileURLToPath(new URL('..', import.meta.url));

const sources = join(root, 'src/');

const banner = [
  "import{createRequire as __createRequire}from'node:module'",
  "import{fileURLToPath as __toPath}from'node:url'",
  "import{dirname as __folderOf}from'node:path'",
  'const require=__createRequire(import.meta.url),__filename=__toPath(import.meta.url),__dirname=__folderOf(__filename);',
].join(';');

/**
 * The simulator with the sources in one file: what is loaded later is there at once, and files are in memory.
 * `patches` are texts of the sources to be replaced, by file.
 */
export async function bundle(outfile, patches = []) {
  const plugin = {
    name: 'simulated disk and patches',
    setup(builder) {
      builder.onResolve({ filter: /^node:fs(?:\/promises)?$/ }, ({ importer }) =>
        importer.startsWith(sources) ? { path: join(root, 'test/simulator/disk.ts') } : undefined,
      );
      for (const { file, before, after } of patches)
        builder.onLoad(
          { filter: new RegExp(`${file.replaceAll(/[.*+?^${}()|[\]\\/]/g, '\\$&')}$`) },
          async ({ path }) => {
            const text = await readFile(path, 'utf8');
            const parts = text.split(before);
            if (parts.length !== 2)
              throw new Error(`${file}: the text to be replaced stands there ${parts.length - 1} times`);
            return { contents: parts.join(after), loader: 'ts' };
          },
        );
    },
  };
  await build({
    entryPoints: [join(root, 'test/simulator/main.ts')],
    ...{ outfile, bundle: true, platform: 'node', format: 'esm', target: 'node20', logLevel: 'error' },
    external: ['libsql', 'pg-native', 'pg-cloudflare', 'typescript', 'ts-node', 'tsx', 'esbuild'],
    banner: { js: banner },
    plugins: [plugin],
  });
  return outfile;
}
