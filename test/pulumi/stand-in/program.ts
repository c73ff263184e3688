import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cp, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const here = fileURLToPath(new URL('.', import.meta.url));

export interface Addresses {
  readonly monitor: string;
  readonly engine: string;
}

export interface Outcome {
  readonly code: number | null;
  readonly text: string;
}

/** What starts a program in its folder. */
export type Start = (
  folder: string,
  addresses: Addresses,
  isPreview: boolean,
) => { readonly argv: readonly string[]; readonly env: Readonly<Record<string, string>> };

/** By the SDK's own launcher. */
const startNode: Start = (folder, { monitor, engine }, isPreview) => {
  const launcher = join(root, 'node_modules/@pulumi/pulumi/cmd/run');
  const asked = ['--project', 'shop', '--stack', 'dev', '--parallel', '64', '--monitor', monitor, '--engine', engine];
  // Types are for an SDK with types: what is tested is what the program does.
  const compiler = { PULUMI_NODEJS_TYPESCRIPT: 'true', PULUMI_NODEJS_TRANSPILE_ONLY: 'true' };
  return {
    argv: [process.execPath, launcher, ...asked, '--pwd', folder, ...(isPreview ? ['--dry-run'] : []), '.'],
    env: existsSync(join(folder, 'index.ts')) ? compiler : {},
  };
};

/** By the runtime of an environment of Python's, on SDKs in a folder. */
export function startPython(interpreter: string, sdks: string): Start {
  return (_, { monitor, engine }, isPreview) => ({
    argv: [interpreter, join(here, 'launch.py'), monitor, engine, String(isPreview), '__main__.py'],
    env: { PYTHONPATH: sdks, PYTHONDONTWRITEBYTECODE: '1' },
  });
}

/** What was compiled: it finds the engine by its environment. */
export function startGo(program: string): Start {
  return (_, { monitor, engine }, isPreview) => ({
    argv: [program],
    env: {
      ...{ PULUMI_PROJECT: 'shop', PULUMI_STACK: 'dev', PULUMI_PARALLEL: '16', PULUMI_DRY_RUN: String(isPreview) },
      ...{ PULUMI_MONITOR: monitor, PULUMI_ENGINE: engine, PULUMI_CONFIG: '{}' },
    },
  });
}

/** The folder of a program, with the real SDK of npm and one made from the schema of each package. */
export class Program {
  readonly folder: string;
  readonly #start: Start;

  static async make(
    files: Readonly<Record<string, string>>,
    schemas: Readonly<Record<string, string>>,
  ): Promise<Program> {
    const folder = await mkdtemp(join(tmpdir(), 'pulumi-program-'));
    const modules = join(folder, 'node_modules');
    await mkdir(modules);
    for (const name of ['@pulumi', '@types', 'typescript'])
      await symlink(join(root, 'node_modules', name), join(modules, name));
    for (const [name, schema] of Object.entries(schemas)) {
      const sdk = join(modules, `pulumi-${name}`);
      await mkdir(sdk);
      await cp(join(here, 'sdk.cjs'), join(sdk, 'index.js'));
      await writeFile(join(sdk, 'schema.json'), schema);
    }
    return new Program(folder, startNode).with(files);
  }

  /** One on SDKs that lie where `start` finds them. */
  static async of(start: Start, files: Readonly<Record<string, string>>): Promise<Program> {
    return new Program(await mkdtemp(join(tmpdir(), 'pulumi-program-')), start).with(files);
  }

  constructor(folder: string, start: Start) {
    this.folder = folder;
    this.#start = start;
  }

  async with(files: Readonly<Record<string, string>>): Promise<this> {
    await this.write(files);
    return this;
  }

  async write(files: Readonly<Record<string, string>>): Promise<void> {
    for (const [name, text] of Object.entries(files)) {
      await mkdir(dirname(join(this.folder, name)), { recursive: true });
      await writeFile(join(this.folder, name), text);
    }
  }

  /** Runs it as the host of its language does. */
  async run(addresses: Addresses, isPreview: boolean, env: Readonly<Record<string, string>>): Promise<Outcome> {
    const { argv, env: own } = this.#start(this.folder, addresses, isPreview);
    const [command = '', ...args] = argv;
    const child = spawn(command, args, { cwd: this.folder, env: { PATH: process.env['PATH'], ...own, ...env } });
    let text = '';
    child.stdout.on('data', (part: Buffer) => (text += part.toString()));
    child.stderr.on('data', (part: Buffer) => (text += part.toString()));
    return new Promise((resolve, reject) => {
      child.once('error', reject);
      child.once('close', (code) => resolve({ code, text }));
    });
  }

  async close(): Promise<void> {
    await rm(this.folder, { recursive: true, force: true });
  }
}
