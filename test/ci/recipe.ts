import { spawn, type ChildProcess } from 'node:child_process';
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { type RunningSandbox, startSandbox } from '@platform-sync/sandbox/server';
import { builtProgram } from '../harness/built.js';

export const root = fileURLToPath(new URL('../..', import.meta.url));

export interface Ran {
  readonly code: number;
  readonly out: string;
}

/** Runs a script as a pipeline's shell would; stdout and stderr come as one text, as in a job's log. */
export function shell(
  script: string,
  options: { readonly cwd: string; readonly env: Readonly<Record<string, string>>; readonly sh?: readonly string[] },
): Promise<Ran> {
  return started([...(options.sh ?? ['bash', '--noprofile', '--norc', '-eo', 'pipefail']), '-c', script], options);
}

/** What a program printed and how it ended; `during` sees it while it runs. */
export function started(
  [command = '', ...args]: readonly string[],
  options: { readonly cwd: string; readonly env: Readonly<Record<string, string>> },
  during: (child: ChildProcess) => void = () => undefined,
): Promise<Ran> {
  return new Promise((done, failed) => {
    // Of two pipes, either may be read first; in one, lines come as they were written.
    const child = spawn('bash', ['-c', 'exec "$@" 2>&1', 'bash', command, ...args], options);
    during(child);
    let out = '';
    child.stdout.on('data', (chunk: Buffer) => void (out += chunk.toString('utf8')));
    child.on('error', failed);
    child.on('close', (code) => done({ code: code ?? -1, out }));
  });
}

/** Every document of a YAML file; anchors, tags and warnings of any kind are refused. */
export async function readYaml(file: string): Promise<readonly unknown[]> {
  const documents = parseAllDocuments(await readFile(join(root, file), 'utf8'), { version: '1.2', strict: true });
  return [...documents].map((document) => {
    if (document.errors.length + document.warnings.length > 0)
      throw new Error(`${file}: ${String(document.errors[0])}`);
    return document.toJS() as unknown;
  });
}

/** A machine of a pipeline: a project, a sandbox for the platform, a program on the path, and nothing else. */
export interface Machine {
  readonly sandbox: RunningSandbox;
  readonly folder: string;
  readonly project: string;
  /** Folder that looks like a built checkout of this repository. */
  readonly home: string;
  readonly env: Readonly<Record<string, string>>;
  path(...names: readonly string[]): string;
  write(files: Readonly<Record<string, string>>): Promise<void>;
  read(file: string): Promise<string>;
  remove(name: string): Promise<void>;
  close(): Promise<void>;
}

/** The program as it is shipped, there before the first test of a file. */
export function buildProgram(): () => string {
  let program = '';
  beforeAll(async () => {
    program = await builtProgram();
  });
  return () => program;
}

/** `launched` runs in its place: one in this process is quicker, and has no process of its own to look into. */
export async function startMachine(program: string, launched = program): Promise<Machine> {
  const [sandbox, folder] = await Promise.all([startSandbox({ quiet: true }), mkdtemp(join(tmpdir(), 'sync-ci-'))]);
  const path = (...names: readonly string[]): string => join(folder, ...names);
  const write = async (files: Readonly<Record<string, string>>): Promise<void> => {
    for (const [name, text] of Object.entries(files)) {
      await mkdir(dirname(path(name)), { recursive: true });
      await writeFile(path(name), text);
    }
  };
  // The names that recipes call the program by.
  const launch = `import ${JSON.stringify(launched)};\n`;
  await write({
    'home/package.json': '{"type":"module"}',
    'home/bin/sync.js': launch,
    'home/dist/ci.js': await readFile(join(dirname(dirname(program)), 'dist/ci.js'), 'utf8'),
    'bin/platform-sync': `#!/bin/sh\nexec node ${JSON.stringify(path('home/bin/sync.js'))} "$@"\n`,
    'project/sync.yaml': 'project: shop\n',
    'project/catalogue/pets.yaml': 'resources:\n  pets: {type: platform:Api}\n',
  });
  await chmod(path('bin/platform-sync'), 0o755);
  return {
    sandbox,
    folder,
    project: path('project'),
    home: path('home'),
    env: {
      PATH: `${path('bin')}:${process.env['PATH'] ?? ''}`,
      HOME: folder,
      PLATFORM_SERVER_URL: sandbox.url,
      PLATFORM_TOKEN: 'canary-platform-token',
    },
    path,
    write,
    remove: (name) => rm(path(name), { recursive: true, force: true }),
    read: (file) => readFile(path(file), 'utf8').catch(() => ''),
    close: async () => {
      await sandbox.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
