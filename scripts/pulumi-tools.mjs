// Puts what the tests that run real Pulumi programs need into a cache folder. The command line, the host of YAML programs and the
// generators of SDKs are built from published Go modules (pulumi/tools), which takes some minutes and Go; Pulumi's metaschema is a
// file of one of them. The hosts of Node.js, Python and Go come from
// a folder with their executables, that of an installed Pulumi: PULUMI_HOSTS.
import { execFileSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { metaschema, pulumiTools } from '../pulumi/tools/place.mjs';

const module = fileURLToPath(new URL('../pulumi/tools', import.meta.url));
const version = /pulumi\/pkg\/v3 (v[\d.]+)/.exec(readFileSync(join(module, 'go.mod'), 'utf8'))?.[1] ?? '';
const target = pulumiTools();
const { PULUMI_HOSTS: installed } = process.env;
const hosts = ['pulumi-language-nodejs', 'pulumi-language-python', 'pulumi-language-python-exec', 'pulumi-language-go'];

const run = (command, args, cwd) =>
  execFileSync(command, args, {
    cwd,
    stdio: 'inherit',
    env: { ...process.env, GOFLAGS: `-buildvcs=false -p=2 ${process.env.GOFLAGS ?? ''}`.trim() },
  });
const isThere = (name) => existsSync(join(target, name));

mkdirSync(target, { recursive: true });
if (!isThere('pulumi')) {
  console.error(`Building pulumi ${version} into ${target} …`);
  const stamp = `-X github.com/pulumi/pulumi/sdk/v3/go/common/version.Version=${version}`;
  build(module, [`-s -w ${stamp}`], 'github.com/pulumi/pulumi/pkg/v3/cmd/pulumi');
}
for (const name of ['pulumi-language-yaml', 'pulumi-converter-yaml'])
  if (!isThere(name)) build(module, ['-s -w'], `github.com/pulumi/pulumi-yaml/cmd/${name}`);

if (!isThere('pulumi-sdk')) build(join(module, 'sdk'), ['-s -w'], '.');
if (!isThere(metaschema)) {
  const args = ['list', '-m', '-f', '{{.Dir}}', 'github.com/pulumi/pulumi/pkg/v3'];
  const source = execFileSync('go', args, { cwd: module, encoding: 'utf8' }).trim();
  writeFileSync(join(target, metaschema), readFileSync(join(source, 'codegen/schema/pulumi.json')));
}

for (const name of hosts)
  if (!isThere(name) && installed !== undefined && existsSync(join(installed, name)))
    copyFileSync(join(installed, name), join(target, name));
const missing = hosts.filter((name) => !isThere(name));
if (missing.length > 0)
  console.error(
    `No ${missing.join(', ')}. PULUMI_HOSTS names a folder with these executables: an installed Pulumi has them in its bin.`,
  );
if (!isThere('venv')) {
  try {
    run('python3', ['-m', 'venv', join(target, 'venv')]);
    run(join(target, 'venv/bin/pip'), [
      'install',
      '--quiet',
      'pulumi>=3.231,<4',
      'parver',
      'semver',
      'setuptools',
      'wheel',
    ]);
  } catch (error) {
    rmSync(join(target, 'venv'), { recursive: true, force: true });
    console.error(`No Python with Pulumi's SDK: ${error.message.split('\n')[0]}.`);
  }
}
console.log(`In ${target}: ${readdirSync(target).join(', ')}`);

function build(cwd, [flags], what) {
  run('go', ['build', '-o', `${target}/`, '-ldflags', flags, what], cwd);
}
