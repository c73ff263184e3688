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

/** The folder of a program, with the real SDK of npm and one made from the schema of each package. */
export class Program {
  readonly folder: string;

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
    const program = new Program(folder);
    await program.write(files);
    return program;
  }

  constructor(folder: string) {
    this.folder = folder;
  }

  async write(files: Readonly<Record<string, string>>): Promise<void> {
    for (const [name, text] of Object.entries(files)) {
      await mkdir(dirname(join(this.folder, name)), { recursive: true });
      await writeFile(join(this.folder, name), text);
    }
  }

  /** Runs it as the host of Node.js programs does: by the SDK's own launcher. */
  async run(
    { monitor, engine }: Addresses,
    isPreview: boolean,
    env: Readonly<Record<string, string>>,
  ): Promise<Outcome> {
    const launcher = join(root, 'node_modules/@pulumi/pulumi/cmd/run');
    const asked = ['--project', 'shop', '--stack', 'dev', '--parallel', '64', '--monitor', monitor, '--engine', engine];
    const args = [launcher, ...asked, '--pwd', this.folder, ...(isPreview ? ['--dry-run'] : []), '.'];
    // Types are for an SDK with types: what is tested is what the program does.
    const compiler = { PULUMI_NODEJS_TYPESCRIPT: 'true', PULUMI_NODEJS_TRANSPILE_ONLY: 'true' };
    const typescript = existsSync(join(this.folder, 'index.ts')) ? compiler : {};
    const child = spawn(process.execPath, args, { env: { PATH: process.env['PATH'], ...typescript, ...env } });
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
