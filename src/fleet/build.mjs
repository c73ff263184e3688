// Bundles the package: all of it but the job engine, the driver and the reader of tokens, which its package.json names. Into a folder, or dist/ beside this file.
// The console's server and login are inside, in chunks that only a console loads: users get the versions that were tested.
import { writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { bundledPackages, thirdPartyLicenses } from '../../scripts/third-party-licenses.mjs';

const here = dirname(fileURLToPath(import.meta.url));

export async function buildFleet(outdir = join(here, 'dist')) {
  const { metafile } = await build({
    ...{ absWorkingDir: here, entryPoints: ['main.ts'], outdir, logLevel: 'warning', metafile: true, splitting: true },
    ...{
      bundle: true,
      format: 'esm',
      platform: 'node',
      target: 'node20.19',
      external: ['graphile-worker', 'jose', 'pg'],
    },
    // CommonJS packages inside expect it.
    banner: {
      js: "import{createRequire as __createRequire}from'node:module';const require=__createRequire(import.meta.url);",
    },
  });
  const licences = thirdPartyLicenses(here, bundledPackages(metafile.inputs));
  writeFileSync(join(outdir, 'THIRD-PARTY-LICENSES.txt'), licences);
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href)
  await buildFleet(process.argv[2] === undefined ? undefined : resolve(process.argv[2]));
