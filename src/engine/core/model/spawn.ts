import { spawn, type ChildProcess, type StdioOptions } from 'node:child_process';
import type { Share, ShareLimit } from './spawn-limits.js';

/** How another program is run. */
export interface SpawnOptions {
  readonly cwd: string;
  /** On top of this process's own. */
  readonly env?: Readonly<Record<string, string>>;
  /** `env` is all that it gets. */
  readonly isApart?: true;
  /** For its standard input. What it prints is then shown to nobody: it may repeat it. */
  readonly input?: string;
  /** The program is a command line. */
  readonly shell?: true;
  /** Ends it, and what it began, when it takes longer, prints more, takes more than its share, or `stop` fires. */
  readonly limits?: {
    readonly ms: number;
    readonly characters: number;
    readonly share?: Share;
    readonly stop?: AbortSignal;
  };
  /** Answers what it asks by messages `{id, question}`: with `{id, value}`, or `{id, error}` with the members of the error. */
  readonly answer?: (question: unknown) => Promise<unknown>;
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
  /** Which of its limits ended it. */
  readonly limit?: 'time' | 'output' | 'stop' | ShareLimit;
}

/** Runs a program to its end. */
export function spawned(program: string, args: readonly string[], options: SpawnOptions): Promise<Spawned> {
  const { cwd, env, isApart, shell = false, input, limits, answer } = options;
  const own = process.platform !== 'win32' && limits !== undefined;
  return new Promise((done) => {
    const child = spawn(program, args, {
      ...{ cwd, shell, env: isApart ? { ...env } : { ...process.env, ...env } },
      // A group of its own ends as one.
      ...{ detached: own, stdio: stdioOf(options), serialization: 'advanced' },
    });
    const said = { stdout: '', stderr: '' };
    let end: Partial<Spawned> = {};
    const cut = (limit: NonNullable<Spawned['limit']>): void => {
      end = { limit, ...end };
      kill(child, own);
    };
    const free = limits === undefined ? undefined : watched(limits, child.pid, cut);
    for (const name of ['stdout', 'stderr'] as const)
      child[name]?.setEncoding('utf8').on('data', (part: string) => {
        said[name] += part;
        if (limits !== undefined && said.stdout.length + said.stderr.length > limits.characters) cut('output');
      });
    if (answer !== undefined) child.on('message', (asked) => void answerTo(child, asked, answer));
    child.on('error', (error: NodeJS.ErrnoException) => {
      free?.();
      done({ ...said, failure: error.code ?? error.message });
    });
    child.stdin?.on('error', () => (end = { isUnread: true }));
    // What it began does not outlive it, nor hold open what it printed to.
    if (own) child.on('exit', () => kill(child, own));
    child.on('close', (code, signal) => {
      free?.();
      if (code !== null) end = { ...end, code };
      if (signal !== null) end = { ...end, signal };
      // What it wrote last, no look may have seen.
      void brokenShare(child.pid, limits?.share).then((limit) =>
        done({ ...said, ...(limit === undefined ? {} : { limit }), ...end }),
      );
    });
    child.stdin?.end(input);
  });
}

function stdioOf({ input, answer }: SpawnOptions): StdioOptions {
  const heard = input === undefined ? (['ignore', 'pipe', 'pipe'] as const) : (['pipe', 'ignore', 'ignore'] as const);
  return answer === undefined ? [...heard] : [...heard, 'ipc'];
}

function watched(
  { ms, share, stop }: NonNullable<SpawnOptions['limits']>,
  pid: number | undefined,
  cut: (limit: NonNullable<Spawned['limit']>) => void,
): () => void {
  const timer = setTimeout(() => cut('time'), ms);
  const stopped = (): void => cut('stop');
  if (stop?.aborted === true) stopped();
  stop?.addEventListener('abort', stopped);
  const looking = share === undefined || pid === undefined ? undefined : looks(pid, share, cut);
  return () => {
    clearTimeout(timer);
    looking?.();
    stop?.removeEventListener('abort', stopped);
  };
}

const lookMs = 200;

/** Looks again and again at what it takes; one look that takes long is waited for. */
function looks(pid: number, share: Share, cut: (limit: ShareLimit) => void): () => void {
  let timer: NodeJS.Timeout | undefined;
  let isOver = false;
  const look = async (): Promise<void> => {
    const limit = await brokenShare(pid, share);
    if (isOver) return;
    if (limit === undefined) again();
    else cut(limit);
  };
  const again = (): void => void (timer = setTimeout(() => void look(), lookMs));
  again();
  return () => {
    isOver = true;
    clearTimeout(timer);
  };
}

async function brokenShare(pid: number | undefined, share: Share | undefined): Promise<ShareLimit | undefined> {
  if (pid === undefined || share === undefined) return undefined;
  const { brokenBy } = await import('./spawn-limits.js');
  return brokenBy(pid, share);
}

function kill(child: ChildProcess, isGroup: boolean): void {
  try {
    if (isGroup && child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
    else child.kill('SIGKILL');
  } catch {
    // It has ended meanwhile.
  }
}

async function answerTo(
  child: ChildProcess,
  asked: unknown,
  answer: NonNullable<SpawnOptions['answer']>,
): Promise<void> {
  if (typeof asked !== 'object' || asked === null || !('id' in asked) || !('question' in asked)) return;
  const { id, question } = asked;
  const reply = await answer(question).then(
    (value) => ({ id, value }),
    (error: unknown) => ({ id, error: error instanceof Error ? { ...error, message: error.message } : {} }),
  );
  // It may be gone.
  if (child.connected) child.send(reply, () => undefined);
}
