// Bundles the package: all of it but the job engine, the driver and the reader of tokens, which its package.json names. Into a folder, or dist/ beside this file.
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';

const here = dirname(fileURLToPath(import.meta.url));

export async function buildFleet(outdir = join(here, 'dist')) {
  await build({
    ...{ absWorkingDir: here, entryPoints: ['main.ts'], outdir, logLevel: 'warning' },
    ...{
      bundle: true,
      format: 'esm',
      platform: 'node',
      target: 'node20.19',
      external: ['graphile-worker', 'jose', 'pg'],
    },
  });
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href)
  await buildFleet(process.argv[2] === undefined ? undefined : resolve(process.argv[2]));
