import { chmod, cp, mkdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

// Makes one folder a package: `pulumi package add ./pulumi/dist/platform`.
const here = dirname(fileURLToPath(import.meta.url));
const root = join(here, '..');
const target = process.argv[2] ?? join(here, 'dist');
const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));

await rm(target, { recursive: true, force: true });
for (const name of ['platform', 'cloud']) {
  const folder = join(target, name);
  await mkdir(folder, { recursive: true });
  await build({
    stdin: {
      contents: `import schema from '../schemas/${name}.json'; import { main } from './src/main.ts'; await main(schema);`,
      resolveDir: here,
      loader: 'ts',
    },
    outdir: folder,
    entryNames: 'provider',
    chunkNames: 'part-[hash]',
    outExtension: { '.js': '.mjs' },
    bundle: true,
    // What only some calls need is read by the first of them: a process is started several times for each command.
    splitting: true,
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
  const executable = join(folder, `pulumi-resource-${name}`);
  await writeFile(executable, "#!/usr/bin/env node\nimport(require('node:path').join(__dirname, 'provider.mjs'));\n");
  await chmod(executable, 0o755);
  // `pulumi package add ./folder` looks for this name before it knows the package's.
  await symlink(`pulumi-resource-${name}`, join(folder, 'pulumi-resource-'));
  await writeFile(join(folder, 'package.json'), `${JSON.stringify({ name: `pulumi-resource-${name}`, version })}\n`);
  if (name === 'platform')
    await cp(join(root, 'schemas/types/platform'), join(folder, 'schemas/types/platform'), { recursive: true });
}
