// Builds Pulumi's own command line and its language hosts into a cache folder, for the tests that run real programs. The
// command line and the host of YAML programs come from their Go modules (pulumi/tools/go.mod). The hosts of Node.js,
// Python and Go are no modules of their own: they come from where PULUMI_HOSTS says (a folder with built hosts, or a
// clone of Pulumi's repository), else from a clone that is made for it. Takes some minutes, needs Go.
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { pulumiTools } from '../pulumi/tools/place.mjs';

const module = fileURLToPath(new URL('../pulumi/tools', import.meta.url));
const version = /pulumi\/pkg\/v3 (v[\d.]+)/.exec(readFileSync(join(module, 'go.mod'), 'utf8'))?.[1] ?? '';
const target = pulumiTools();
const executable = 'pulumi-language-python-exec';
const hosts = {
  'pulumi-language-nodejs': 'sdk/nodejs/cmd/pulumi-language-nodejs',
  'pulumi-language-python': 'sdk/python/cmd/pulumi-language-python',
  'pulumi-language-go': 'sdk/go/pulumi-language-go',
};

const run = (command, args, cwd, stdio = 'inherit') =>
  execFileSync(command, args, {
    cwd,
    stdio,
    maxBuffer: 2 ** 28,
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

const missing = Object.keys(hosts).filter((name) => !isThere(name));
if (missing.length > 0) {
  const scratch = mkdtempSync(join(tmpdir(), 'pulumi-hosts-'));
  try {
    const from = process.env.PULUMI_HOSTS ?? cloned(scratch);
    if (from === undefined) throw new Error('the repository could not be cloned');
    if (existsSync(join(from, missing[0]))) copyHosts(from);
    else for (const name of missing) buildHost(from, name, scratch);
  } catch (error) {
    console.error(
      `No ${missing.join(', ')}: ${error.message.split('\n')[0]}. PULUMI_HOSTS may name a clone, or a folder with them.`,
    );
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}
if (isThere('pulumi-language-python') && !isThere('venv')) {
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

function cloned(scratch) {
  const clone = join(scratch, 'clone');
  const address = 'https://github.com/pulumi/pulumi';
  try {
    run('git', [
      'clone',
      '--quiet',
      '--depth',
      '1',
      '--branch',
      version,
      '--filter=blob:none',
      '--bare',
      address,
      clone,
    ]);
    return clone;
  } catch {
    return undefined;
  }
}

function copyHosts(from) {
  for (const name of [...missing, executable]) cpSync(join(from, name), join(target, name));
}

/** Takes the few files of one host out of the clone, whatever else it holds or lacks, and builds them on the published modules. */
function buildHost(clone, name, scratch) {
  const folder = hosts[name];
  const wanted = name.endsWith('python') ? [folder, `sdk/python/cmd/${executable}`] : [folder];
  const listed = run('git', ['ls-tree', '-r', version, ...wanted], clone, 'pipe')
    .toString()
    .trim()
    .split('\n');
  for (const line of listed) {
    const [, hash, path] = /^\d+ blob (\w+)\t(.+)$/.exec(line) ?? [];
    if (path === undefined || path.includes('testdata') || path.endsWith('_test.go')) continue;
    mkdirSync(dirname(join(scratch, path)), { recursive: true });
    writeFileSync(join(scratch, path), run('git', ['cat-file', 'blob', hash], clone, 'pipe'));
  }
  const at = join(scratch, folder);
  const published = ['pkg', 'sdk'].flatMap((part) => [
    `-dropreplace=github.com/pulumi/pulumi/${part}/v3`,
    `-require=github.com/pulumi/pulumi/${part}/v3@${version}`,
  ]);
  run('go', ['mod', 'edit', ...published], at);
  run('go', ['mod', 'tidy'], at);
  build(at, ['-s -w'], '.');
  if (name.endsWith('python')) {
    cpSync(join(scratch, 'sdk/python/cmd', executable), join(target, executable));
    chmodSync(join(target, executable), 0o755);
  }
}
