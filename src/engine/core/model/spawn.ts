import { spawn } from 'node:child_process';

/** How another program is run. */
export interface SpawnOptions {
  readonly cwd: string;
  /** On top of this process's own. */
  readonly env?: Readonly<Record<string, string>>;
  /** For its standard input. What it prints is then shown to nobody: it may repeat it. */
  readonly input?: string;
  /** The program is a command line. */
  readonly shell?: true;
}

/** How it ended. */
export interface Spawned {
  /** Undefined: a signal ended it, or it was not started. */
  readonly code?: number;
  readonly signal?: string;
  /** Why it was not started: the system's own code, such as ENOENT. */
  readonly failure?: string;
  readonly stdout: string;
  readonly stderr: string;
  /** It did not read its input. */
  readonly isUnread?: true;
}

/** Runs a program to its end. */
export function spawned(program: string, args: readonly string[], options: SpawnOptions): Promise<Spawned> {
  const { cwd, env, input, shell = false } = options;
  return new Promise((done) => {
    const child = spawn(program, args, {
      ...{ cwd, shell, env: { ...process.env, ...env } },
      stdio: input === undefined ? ['ignore', 'pipe', 'pipe'] : ['pipe', 'ignore', 'ignore'],
    });
    const said = { stdout: '', stderr: '' };
    let end: Partial<Spawned> = {};
    for (const name of ['stdout', 'stderr'] as const)
      child[name]?.setEncoding('utf8').on('data', (part: string) => (said[name] += part));
    child.on('error', (error: NodeJS.ErrnoException) => done({ ...said, failure: error.code ?? error.message }));
    child.stdin?.on('error', () => (end = { isUnread: true }));
    child.on('close', (code, signal) => {
      if (code !== null) end = { ...end, code };
      if (signal !== null) end = { ...end, signal };
      done({ ...said, ...end });
    });
    child.stdin?.end(input);
  });
}
