import { spawn } from 'node:child_process';
import type { FaultRule } from '@platform-sync/sandbox/control/fault-rule';

const headers = { 'content-type': 'application/json' };

/** The sandbox in a process of its own, as users run it: it shares no event loop with what is measured. */
export interface SandboxProcess {
  readonly url: string;
  readonly port: number;
  /** Requests since the last reset. */
  requests(): Promise<number>;
  /** Of them, those that were told to come back later (429). */
  refused(): Promise<number>;
  resetRequests(): Promise<void>;
  /** Back to an empty world. */
  resetWorld(): Promise<void>;
  fault(rules: readonly FaultRule[]): Promise<void>;
  stop(): Promise<void>;
}

export interface SandboxSetting {
  readonly latencyMs: number;
  /** 0, the default, takes any free one. */
  readonly port?: number;
  /** Requests a minute; what comes on top is answered 429. */
  readonly rateLimit?: number;
  /** Folder that keeps the objects over a restart. */
  readonly data?: string;
}

interface Counts {
  readonly total: number;
  readonly byRoute: readonly { readonly status: number; readonly count: number }[];
}

/** `program`: path of the launcher whose sandbox is started. */
export async function startSandboxProcess(program: string, setting: SandboxSetting): Promise<SandboxProcess> {
  const args = [program, 'sandbox', '--port', String(setting.port ?? 0), '--latency', String(setting.latencyMs)];
  const kept = setting.data === undefined ? [] : ['--data', setting.data];
  const limited = setting.rateLimit === undefined ? [] : ['--rate-limit', `${setting.rateLimit}/min`];
  const child = spawn(process.execPath, [...args, ...kept, ...limited], { stdio: ['ignore', 'pipe', 'inherit'] });
  // A bench that is broken off must not leave a server behind.
  const kill = (): void => void child.kill('SIGKILL');
  process.once('exit', kill);
  const url = await new Promise<string>((resolve, reject) => {
    let text = '';
    child.on('exit', (status) => reject(new Error(`the sandbox ended with ${status}`)));
    child.stdout.on('data', (chunk: Buffer) => {
      text += chunk.toString();
      const [line] = text.split('\n');
      if (line?.startsWith('{') === true && text.includes('\n'))
        resolve((JSON.parse(line) as { readonly url: string }).url);
    });
  });
  await emptied(url);
  const control = `${url}/_sandbox/requests`;
  const counts = async (): Promise<Counts> => (await (await fetch(control)).json()) as Counts;
  return {
    url,
    port: Number(new URL(url).port),
    requests: async () => (await counts()).total,
    refused: async () =>
      (await counts()).byRoute.reduce((sum, { status, count }) => (status === 429 ? sum + count : sum), 0),
    resetRequests: async () => void (await fetch(control, { method: 'DELETE' })),
    resetWorld: async () => {
      await fetch(`${url}/_sandbox/reset`, { method: 'POST' });
      await emptied(url);
    },
    fault: async (rules) => {
      const body = JSON.stringify(rules);
      await fetch(`${url}/_sandbox/faults`, { method: 'PUT', headers, body });
    },
    stop: () =>
      new Promise((resolve) => {
        process.off('exit', kill);
        child.removeAllListeners('exit');
        child.on('exit', () => resolve());
        child.kill('SIGTERM');
      }),
  };
}

/** Takes away what the sandbox has from the start that an export would write: the least is computed from what a scenario makes. */
async function emptied(url: string): Promise<void> {
  const control = `${url}/_sandbox/objects`;
  const objects = (await (await fetch(control)).json()) as Readonly<Record<string, readonly { readonly id: string }[]>>;
  for (const collection of ['portals', 'auth-strategies'])
    for (const { id } of objects[collection] ?? [])
      await fetch(`${control}/${collection}/${id}`, { method: 'POST', headers, body: '{"$delete":true}' });
}
