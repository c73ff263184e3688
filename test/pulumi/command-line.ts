import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, readlink, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { pulumiTools } from '../../pulumi/tools/place.mjs';
import { variables } from '@platform-sync/cloud/wire';
import { allDefinitions } from '@platform-sync/platform/package';
import { kept } from '../harness/built.js';
import { leftOut } from '../harness/left-out.js';

const tools = pulumiTools();

/** What of Pulumi's own programs is not there; undefined when all of them are. */
function missing(...hosts: readonly string[]): string | undefined {
  const names = ['pulumi', ...hosts.map((host) => `pulumi-language-${host}`)];
  return names.find((name) => !existsSync(join(tools, name)));
}

/** Whether programs in a language can be run, and what titles say where they can't. */
export function realEngine(language: string): { readonly isLeftOut: boolean; readonly note: string } {
  const lacking = missing(language);
  const why = `no ${lacking ?? ''} in ${tools} (npm run pulumi:tools); only the recorded protocol is tried`;
  return lacking === undefined
    ? { isLeftOut: false, note: '' }
    : { isLeftOut: true, note: leftOut(`Pulumi programs in ${language}`, why) };
}

/** Folder of the two packages as they are published: `platform` and `cloud`. */
export function builtPackages(): Promise<string> {
  return built('pulumi');
}

/** The types that people copy from public pages. */
const mission = ['Api', 'ApiDocument', 'ApiImplementation', 'ApiProduct', 'ApiProductDocument'];

/** The same, with the types of `platform` that an SDK is compiled for: those and twenty others, in long runs all of them. */
export async function packagesToCompile(): Promise<string> {
  if (process.env['SYNC_EVERY_FIELD'] !== undefined) return builtPackages();
  const others = allDefinitions().flatMap(({ name }) => (mission.includes(name) ? [] : [name]));
  const twenty = others.filter((_, at) => at % Math.floor(others.length / 20) === 0).slice(0, 20);
  return built('pulumi-part', ['--types', [...mission, ...twenty].join(',')]);
}

/** Those types alone, with all lookups. */
export function packagesOfPublicTypes(): Promise<string> {
  return built('pulumi-public', ['--types', mission.join(',')]);
}

/** The version of Go's SDK that programs are compiled on. */
export const goSdk = 'v3.256.0';
const goCaches = ['GOPATH', 'GOCACHE', 'GOMODCACHE', 'GOPROXY', 'GOFLAGS'];

/** Where Go keeps its modules and what it has compiled; a text says why programs in Go can't be compiled here. */
export async function goEnvironment(): Promise<Readonly<Record<string, string>> | string> {
  const answer = await promisify(execFile)('go', ['env', ...goCaches]).catch(() => undefined);
  if (answer === undefined) return 'no go on the PATH';
  const values = answer.stdout.split('\n');
  const settings = Object.fromEntries(goCaches.map((name, at) => [name, values[at] ?? '']));
  const kept = `cache/download/github.com/pulumi/pulumi/sdk/v3/@v/${goSdk}.zip`;
  return existsSync(join(settings['GOMODCACHE'] ?? '', kept)) || process.env['PULUMI_TEST_GO'] === '1'
    ? settings
    : `Pulumi's SDK ${goSdk} is not among the modules of this machine; PULUMI_TEST_GO=1 fetches it`;
}

/** What the packages are made of. */
export const packageSources = ['src/**', 'schemas/**', 'pulumi/src/**', 'pulumi/build.mjs', 'scripts/generate/**'];

function built(name: string, options: readonly string[] = []): Promise<string> {
  return kept(name, packageSources, async (folder) => {
    await promisify(execFile)(process.execPath, ['pulumi/build.mjs', folder, ...options]);
  });
}

export interface Ran {
  readonly code: number | null;
  readonly text: string;
}

/** One project of the real command line, with a home, a file backend and a passphrase of its own. */
export class Project {
  readonly folder: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly #children = new Set<ChildProcess>();

  static async make(url: string, env: Readonly<Record<string, string>> = {}): Promise<Project> {
    const root = await mkdtemp(join(tmpdir(), 'pulumi-'));
    await Promise.all(['home', 'state', 'program'].map((name) => mkdir(join(root, name))));
    return new Project(root, url, env);
  }

  constructor(root: string, url: string, env: Readonly<Record<string, string>>) {
    this.folder = join(root, 'program');
    this.env = {
      PATH: `${tools}:${process.env['PATH'] ?? ''}`,
      HOME: join(root, 'home'),
      PULUMI_HOME: join(root, 'home/.pulumi'),
      // Without it, a kill may leave half a file of attributes beside a whole state.
      PULUMI_BACKEND_URL: `file://${join(root, 'state')}?metadata=skip`,
      ...{ PULUMI_CONFIG_PASSPHRASE: 'open', PULUMI_SKIP_UPDATE_CHECK: 'true', CI: 'true' },
      ...{ PULUMI_DISABLE_AUTOMATIC_PLUGIN_ACQUISITION: 'true', PULUMI_OPTION_NON_INTERACTIVE: 'true' },
      ...{ PLATFORM_TOKEN: 'test-token', PLATFORM_SERVER_URL: url },
      [variables.accessToken[0]]: 'test-token',
      [variables.endpoint[0]]: `${url}/v1/`,
      ...env,
    };
  }

  async write(files: Readonly<Record<string, string>>): Promise<void> {
    for (const [name, text] of Object.entries(files)) {
      await mkdir(dirname(join(this.folder, name)), { recursive: true });
      await writeFile(join(this.folder, name), text);
    }
  }

  read(name: string): Promise<string> {
    return readFile(join(this.folder, name), 'utf8');
  }

  /** Starts a command; `done` resolves with what it printed. */
  start(
    args: readonly string[],
    env: Readonly<Record<string, string>> = {},
  ): { child: ChildProcess; done: Promise<Ran> } {
    const options = { cwd: this.folder, env: { ...this.env, ...env } as NodeJS.ProcessEnv };
    const child = spawn(join(tools, 'pulumi'), [...args, '--non-interactive'], options);
    this.#children.add(child);
    let text = '';
    child.stdout.on('data', (part: Buffer) => (text += part.toString()));
    child.stderr.on('data', (part: Buffer) => (text += part.toString()));
    const done = new Promise<Ran>((resolve, reject) => {
      child.once('error', reject);
      child.once('close', (code) => {
        this.#children.delete(child);
        resolve({ code, text });
      });
    });
    return { child, done };
  }

  /** What a command printed, whatever it exits with. */
  run(...args: readonly string[]): Promise<Ran> {
    return this.start(args).done;
  }

  /** What a command printed; rejects where it fails. */
  async must(...args: readonly string[]): Promise<string> {
    const { code, text } = await this.run(...args);
    if (code !== 0) throw new Error(`pulumi ${args.join(' ')}: exit ${String(code)}\n${text}`);
    return text;
  }

  up(...more: readonly string[]): Promise<string> {
    return this.must('up', '--yes', '--skip-preview', ...more);
  }

  /** Ids of the provider processes that work for this project: they run in its folder. */
  async providers(): Promise<readonly number[]> {
    const ids = (await readdir('/proc')).map(Number).filter((id) => id > 0);
    const own = await Promise.all(
      ids.map(async (id) => {
        const [cwd, line] = await Promise.all([
          readlink(`/proc/${String(id)}/cwd`).catch(() => ''),
          readFile(`/proc/${String(id)}/cmdline`, 'utf8').catch(() => ''),
        ]);
        return cwd === this.folder && line.includes('pulumi-resource-') ? [id] : [];
      }),
    );
    return own.flat();
  }

  async close(): Promise<void> {
    for (const child of this.#children) child.kill('SIGKILL');
    await rm(dirname(this.folder), { recursive: true, force: true });
  }
}
