// Does the package install anywhere, and does everything in it work from there? Packs it, installs the file with npm (strict
// engines), Yarn 1 and pnpm, and runs a round from each installation: the sandbox, a first project, both providers, both
// state backends, the library. Prints what was installed. Needs the registry for libsql, Yarn and pnpm.
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { measureInstalled } from '../bench/installed.js';

const run = promisify(execFile);
const root = fileURLToPath(new URL('..', import.meta.url));
const largest = { packages: 19, megabytes: 32 };
const place = mkdtempSync(join(tmpdir(), 'sync-install-'));

const clients: Readonly<Record<string, (file: string) => readonly string[]>> = {
  npm: (file) => ['npm', 'install', '--engine-strict', '--no-audit', '--no-fund', file],
  'yarn 1': (file) => ['npx', '--yes', 'yarn@1', 'add', '--no-progress', `file:${file}`],
  pnpm: (file) => ['npx', '--yes', 'pnpm@9', 'add', '--config.engine-strict=true', file],
};

try {
  const { stdout } = await npm(root, 'pack', '--json', '--pack-destination', place);
  const [packed] = JSON.parse(stdout.slice(stdout.indexOf('['))) as readonly {
    readonly filename: string;
    readonly files: readonly { readonly path: string }[];
  }[];
  if (packed === undefined) throw new Error('npm pack made nothing');
  const wanted = ['dist/types/index.d.ts', 'npm-shrinkwrap.json', 'dist/commands.json'];
  for (const name of wanted)
    must(
      packed.files.some(({ path }) => path === name),
      `the package has no ${name}`,
    );
  for (const [name, command] of Object.entries(clients)) {
    const folder = join(place, name.replace(' ', '-'));
    mkdirSync(folder);
    writeFileSync(join(folder, 'package.json'), '{"private": true, "type": "module"}');
    const [program = '', ...args] = command(join(place, packed.filename));
    await shell(folder, program, args);
    const { packages, bytes } = measureInstalled(join(folder, 'node_modules'));
    const megabytes = Math.round(bytes / 1e6);
    await tryOut(folder);
    console.log(`ok     ${name}: ${packages} packages, ${megabytes} MB`);
    must(packages <= largest.packages, `${name} installed more than ${largest.packages} packages`);
    must(megabytes <= largest.megabytes, `${name} installed more than ${largest.megabytes} MB`);
  }
} finally {
  rmSync(place, { recursive: true, force: true });
}

/** Each part of the program that is loaded when it is first used. */
async function tryOut(folder: string): Promise<void> {
  const program = join(folder, 'node_modules/platform-sync/bin/sync.js');
  const sandbox = spawn(process.execPath, [program, 'sandbox'], { stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = once(sandbox, 'close');
  try {
    const [line] = (await once(createInterface({ input: sandbox.stdout }), 'line')) as [string];
    const { url } = JSON.parse(line) as { readonly url: string };
    const env: Record<string, string | undefined> = {
      ...process.env,
      PLATFORM_SERVER_URL: url,
      PLATFORM_TOKEN: 'any',
      ...cloudOf(url),
    };
    const sync = (...args: readonly string[]): Promise<Printed> =>
      run(process.execPath, [program, '-C', join(folder, 'project'), ...args], { env });
    await sync('init', '--project', 'first');
    await says(sync('apply', '--yes'), '2 done, 0 failed');
    await says(sync('plan', '--format', 'html'), 'No changes');
    await says(
      sync('lookup', 'getServiceIamPolicy', 'serviceName=payments.endpoints.example.cloud.goog'),
      'policyData',
    );
    await says(sync('lookup', 'getPlatformIpAddresses'), '{');
    writeFileSync(join(folder, 'project/sync.yaml'), 'project: first\nstate: { backend: postgres, url: !env PG }\n');
    env.PG = 'postgres://127.0.0.1:1/none';
    await says(sync('state', 'list'), 'ECONNREFUSED');
    const library =
      "import { getTeamList } from 'platform-sync'; console.log((await getTeamList({})).datas.length > 0);";
    await says(run(process.execPath, ['--input-type=module', '-e', library], { cwd: folder, env }), 'true');
  } finally {
    sandbox.kill();
    await ended;
  }
}

/** Credentials from the sandbox's metadata server: the library for them is loaded for that. */
function cloudOf(url: string): Readonly<Record<string, string>> {
  return {
    GOOGLE_SERVICE_MANAGEMENT_CUSTOM_ENDPOINT: `${url}/v1/`,
    METADATA_SERVER_DETECTION: 'assume-present',
    GCE_METADATA_HOST: new URL(url).host,
  };
}

interface Printed {
  readonly stdout: string;
  readonly stderr: string;
}

async function says(running: Promise<Printed>, words: string): Promise<void> {
  const { stdout, stderr } = await running.catch((error: unknown) => error as Printed);
  must(`${stdout}${stderr}`.includes(words), `expected to read "${words}" in:\n${stdout}${stderr}`);
}

function must(holds: boolean, words: string): void {
  if (!holds) throw new Error(words);
}

function npm(cwd: string, ...args: readonly string[]): Promise<Printed> {
  return shell(cwd, 'npm', args);
}

function shell(cwd: string, program: string, args: readonly string[]): Promise<Printed> {
  return run(program, args, { cwd, maxBuffer: 1e8, shell: process.platform === 'win32' });
}
