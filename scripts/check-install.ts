// Does the package install anywhere, and does everything in it work from there? Builds and packs it as a release does, installs it
// with npm (strict engines), Yarn 1 and pnpm, and runs a round from each installation: the sandbox, a first project, both providers,
// both state backends, the library. Prints what was installed. `--node PROGRAM` does the same on that Node, too; `--packed FOLDER`
// takes the tarballs of a release that is made already. Needs the registry for libsql, Yarn and pnpm.
import { execFile, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, delimiter, dirname, join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { parseArgs, promisify } from 'node:util';
import { measureInstalled } from '../bench/installed.js';
import { packAll, packedIn, shippedManifest, stageLibsql } from './release/npm-packages.mjs';

const run = promisify(execFile);
/** By whether Node brings SQLite: else libsql comes along, with its binary for both C libraries. */
const largest = { own: { packages: 1, megabytes: 12 }, libsql: { packages: 7, megabytes: 31 } };
const place = mkdtempSync(join(tmpdir(), 'sync-install-'));
const { values } = parseArgs({
  options: { node: { type: 'string', multiple: true, default: [] }, packed: { type: 'string' } },
});

const clients: Readonly<Record<string, (file: string) => readonly string[]>> = {
  npm: (file) => ['npm', 'install', '--engine-strict', '--no-audit', '--no-fund', file],
  'yarn 1': (file) => ['npx', '--yes', 'yarn@1', 'add', '--no-progress', `file:${file}`],
  pnpm: (file) => ['npx', '--yes', 'pnpm@9', 'add', '--config.engine-strict=true', file],
};

let env: NodeJS.ProcessEnv = process.env;
const packed = values.packed === undefined ? packAll(join(place, 'npm'), place) : packedIn(resolve(values.packed));
const registry = await serve(packed.libsql);
try {
  for (const node of [process.execPath, ...values.node]) await tryNode(node);
} finally {
  registry.close();
  rmSync(place, { recursive: true, force: true });
}

async function tryNode(node: string): Promise<void> {
  env = { ...process.env, PATH: `${dirname(node)}${delimiter}${process.env['PATH'] ?? ''}` };
  const { stdout } = await run(node, ['-p', "process.version + ' ' + !!process.getBuiltinModule('node:sqlite')"], {
    env: { ...env, NODE_NO_WARNINGS: '1' },
  });
  const [version = '', hasSqlite] = stdout.trim().split(' ');
  const most = largest[hasSqlite === 'true' ? 'own' : 'libsql'];
  // How Yarn and pnpm lay out packages does not hang on Node.
  const tried = node === process.execPath ? Object.entries(clients) : Object.entries(clients).slice(0, 1);
  for (const [name, command] of tried) {
    const folder = join(place, `${version}-${name.replace(' ', '-')}`);
    mkdirSync(folder);
    writeFileSync(join(folder, 'package.json'), '{"private": true, "type": "module"}');
    const { port } = registry.address() as AddressInfo;
    writeFileSync(join(folder, '.npmrc'), `@platform-sync:registry=http://127.0.0.1:${port}/\n`);
    const [program = '', ...args] = command(packed.product);
    await run(program, args, { cwd: folder, env, maxBuffer: 1e8, shell: process.platform === 'win32' });
    const { packages, bytes } = measureInstalled(join(folder, 'node_modules'));
    const megabytes = Number((bytes / 1e6).toFixed(1));
    await tryOut(node, folder, name === 'npm');
    if (name === 'npm') await tryFleet(node, folder);
    console.log(`ok     Node ${version}, ${name}: ${packages} packages, ${megabytes} MB`);
    must(packages <= most.packages, `${name} installed more than ${most.packages} packages`);
    must(megabytes <= most.megabytes, `${name} installed more than ${most.megabytes} MB`);
  }
}

/** A registry of the one package that the product asks for by name: it is published together with the product. */
async function serve(tarball: string): Promise<ReturnType<typeof createServer>> {
  const [[name, version] = ['', '']] = Object.entries(shippedManifest().optionalDependencies);
  const manifest = JSON.parse(readFileSync(join(stageLibsql(join(place, 'named')), 'package.json'), 'utf8')) as object;
  const server = createServer((request, response) => {
    if (request.url?.endsWith('.tgz') === true) return void response.end(readFileSync(tarball));
    const dist = {
      tarball: `http://${request.headers.host ?? ''}/${name}/-/${basename(tarball)}`,
      // Yarn can't do without.
      shasum: createHash('sha1').update(readFileSync(tarball)).digest('hex'),
    };
    response.setHeader('content-type', 'application/json');
    response.end(
      JSON.stringify({ name, 'dist-tags': { latest: version }, versions: { [version]: { ...manifest, dist } } }),
    );
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return server;
}

/** Each part of the program that is loaded when it is first used. */
async function tryOut(node: string, folder: string, withRules: boolean): Promise<void> {
  const program = join(folder, 'node_modules/platform-sync/bin/sync.js');
  const sandbox = spawn(node, [program, 'sandbox'], { stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = once(sandbox, 'close');
  try {
    const [line] = (await once(createInterface({ input: sandbox.stdout }), 'line')) as [string];
    const { url } = JSON.parse(line) as { readonly url: string };
    const own: Record<string, string | undefined> = {
      ...env,
      PLATFORM_SERVER_URL: url,
      PLATFORM_TOKEN: 'any',
      ...cloudOf(url),
    };
    const sync = (...args: readonly string[]): Promise<Printed> =>
      run(node, [program, '-C', join(folder, 'project'), ...args], { env: own });
    await sync('init', '--project', 'first');
    await says(sync('apply', '--yes'), '2 done, 0 failed');
    await says(sync('plan', '--format', 'html'), 'No changes');
    await says(
      sync('lookup', 'getServiceIamPolicy', 'serviceName=payments.endpoints.example.cloud.goog'),
      'policyData',
    );
    await says(sync('lookup', 'getPlatformIpAddresses'), '{');
    if (withRules) await tryRules(folder, sync);
    writeFileSync(join(folder, 'project/sync.yaml'), 'project: first\nstate: { backend: postgres, url: !env PG }\n');
    own['PG'] = 'postgres://127.0.0.1:1/none';
    await says(sync('state', 'list'), 'ECONNREFUSED');
    const library =
      "import { getTeamList } from 'platform-sync'; console.log((await getTeamList({})).datas.length > 0);";
    await says(run(node, ['--input-type=module', '-e', library], { cwd: folder, env: own }), 'true');
  } finally {
    sandbox.kill();
    await ended;
  }
}

/** Its package is asked for by name, in one line, and then does: here as far as a database that is not there. */
async function tryFleet(node: string, folder: string): Promise<void> {
  const program = join(folder, 'node_modules/platform-sync/bin/sync.js');
  writeFileSync(join(folder, 'project/fleet.yaml'), "projects: ['.']\n");
  const own = { ...env, PG: 'postgres://127.0.0.1:1/none' };
  const work = (): Promise<Printed> =>
    run(node, [program, '-C', join(folder, 'project'), 'fleet', 'work'], { cwd: folder, env: own });
  await says(work(), 'npm install platform-sync-fleet');
  await run('npm', ['install', '--engine-strict', '--no-audit', '--no-fund', packed.fleet], {
    ...{ cwd: folder, env, maxBuffer: 1e8, shell: process.platform === 'win32' },
  });
  await says(work(), 'ECONNREFUSED');
  const load = "const { openQueue } = await import('platform-sync-fleet'); console.log(typeof openQueue);";
  await says(run(node, ['--input-type=module', '-e', load], { cwd: folder, env: own }), 'function');
}

/** Who names a rule set is told what to install, and does. */
async function tryRules(folder: string, sync: (...args: readonly string[]) => Promise<Printed>): Promise<void> {
  const write = (name: string, text: string): void => writeFileSync(join(folder, 'project', name), text);
  write('sync.yaml', 'project: first\nspecificationRules: house.yaml\n');
  write('house.yaml', 'extends: spectral:oas\n');
  write('api.json', '{"openapi": "3.0.3", "info": {"title": "A", "version": "1"}, "paths": {}}');
  write('catalogue/rules.yaml', 'sources: { ../api.json: platform:Api }\n');
  await says(sync('validate'), 'npm install @platform-sync/house-rules');
  const install = ['install', '--no-audit', '--no-fund', packed.houseRules];
  await run('npm', install, { cwd: folder, env, shell: process.platform === 'win32' });
  await says(sync('validate'), 'breaks the rule info-contact');
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
