import { chmod, cp, mkdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { build } from 'esbuild';

// Makes one folder a package: `pulumi package add ./pulumi/dist/platform`. Who publishes the SDK in Go says where its module is:
// npm run pulumi:build -- --go-module example.org/pulumi-{name}/sdk/go
// SDKs of fewer types compile sooner: npm run pulumi:build -- --types Api,ApiDocument,'Portal*'
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    'go-module': { type: 'string', default: 'pulumi-{name}/sdk/go' },
    types: { type: 'string', default: '*' },
  },
});
const here = dirname(fileURLToPath(import.meta.url));
const root = join(here, '..');
const target = positionals[0] ?? join(here, 'dist');
const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));

await rm(target, { recursive: true, force: true });
const names = ['platform', 'cloud'];
for (const name of names) {
  const folder = join(target, name);
  await mkdir(folder, { recursive: true });
  const base = name === 'platform' ? 'platform.base' : name;
  await bundle(folder, 'provider', [
    `import base from '../schemas/${base}.json';`,
    "import { main } from './src/main.ts';",
    "await main(base, new URL('schema.json', import.meta.url));",
  ]);
  const executable = join(folder, `pulumi-resource-${name}`);
  await writeFile(executable, "#!/usr/bin/env node\nimport(require('node:path').join(__dirname, 'provider.mjs'));\n");
  await chmod(executable, 0o755);
  // `pulumi package add ./folder` looks for this name before it knows the package's.
  await symlink(`pulumi-resource-${name}`, join(folder, 'pulumi-resource-'));
  await writeFile(join(folder, 'package.json'), `${JSON.stringify({ name: `pulumi-resource-${name}`, version })}\n`);
  if (name === 'platform')
    await cp(join(root, 'schemas/types/platform'), join(folder, 'schemas/types/platform'), { recursive: true });
}
await writeSchemas();

/** Made here, once: no process has to read all definitions for its schema. They lie in the folder of the platform. */
async function writeSchemas() {
  const home = join(target, 'platform');
  await bundle(home, 'whole-schema', ["export { wholeSchema } from './src/whole-schema.ts';"]);
  const made = join(home, 'whole-schema.mjs');
  const { wholeSchema } = await import(pathToFileURL(made).href);
  const types = values.types.split(',');
  for (const name of names)
    await writeFile(join(target, name, 'schema.json'), JSON.stringify(wholeSchema(name, values['go-module'], types)));
  await rm(made);
}

async function bundle(folder, name, lines) {
  await build({
    stdin: { contents: lines.join('\n'), resolveDir: here, loader: 'ts' },
    outdir: folder,
    entryNames: name,
    chunkNames: 'part-[hash]',
    outExtension: { '.js': '.mjs' },
    bundle: true,
    // What only some calls need is read by the first of them: a process is started several times for each command.
    splitting: name === 'provider',
    platform: 'node',
    format: 'esm',
    target: 'node20.19',
    minify: true,
    legalComments: 'none',
    // What is CommonJS inside asks for Node's own modules by require.
    banner: {
      js: "import { createRequire as makeRequire } from 'node:module'; const require = makeRequire(import.meta.url);",
    },
  });
}
