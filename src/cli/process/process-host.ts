import { finalCode, gatherErr, surviveOutput, writeOut } from './output.js';
import type { OpenOptions } from '@platform-sync/engine/api';
import type { RunningSandbox, SandboxOptions } from '@platform-sync/sandbox/server';
import type { Host } from './host.js';
import type { StopSignal } from './exit-code.js';
import { UsageError } from './usage-error.js';
import { realWorld } from '@platform-sync/core/model/world';

/** The real thing: this process, the engine, the providers, the sandbox, each loaded when first used. */
export function processHost(): Host {
  surviveOutput();
  return {
    out: (text) => writeOut(process.stdout, text),
    err: process.stderr.isTTY === true ? (text) => writeOut(process.stderr, text) : gatherErr,
    env: process.env,
    cwd: process.cwd(),
    outIsTerminal: process.stdout.isTTY === true,
    // A dumb terminal can't paint a line again: it gets plain lines, as a file does.
    errIsTerminal: process.stderr.isTTY === true && process.env['TERM'] !== 'dumb',
    // Asking for stdin opens it: only where somebody may sit before it.
    interactive: process.stderr.isTTY === true && process.stdin.isTTY === true,
    columns: process.stderr.columns ?? 80,
    ask,
    readInput,
    world: realWorld,
    onSignal: (listener) => listenForStops(process, process.platform, listener),
    exit: (code) => process.exit(finalCode(code)),
    prepareNetwork,
    program: [process.execPath, process.argv[1] ?? ''],
    openProject: async (options) => (await import('@platform-sync/engine/engine')).openProject(await handed(options)),
    packages: async () => (await import('@platform-sync/sdk/registry')).providerPackages,
    fleetPackage: async () => (await import('./fleet-package.js')).fleetPackage(),
    startSandbox,
    providerConfig: async (configured) =>
      (await import('@platform-sync/platform/settings')).terraformConfig(configured),
  };
}

/** With what the process that started this one answers, where that is so. */
async function handed(options: OpenOptions): Promise<OpenOptions> {
  const { SYNC_ASKS_STARTER: what } = process.env;
  if (what === undefined || process.send === undefined) return options;
  return { ...options, ...(await (await import('./starter.js')).handedOptions(what)) };
}

const ends: Readonly<Record<string, StopSignal>> = { SIGINT: 'SIGINT', SIGTERM: 'SIGTERM' };
/** Windows has no SIGTERM: Ctrl-Break and the closing of the window are what ends a program there. */
const endsOnWindows: Readonly<Record<string, StopSignal>> = { ...ends, SIGBREAK: 'SIGTERM', SIGHUP: 'SIGTERM' };

/** Elsewhere a lost terminal is no end to one who has said so (`nohup`), and Node can't tell that from the usual. */
export function listenForStops(
  from: Pick<NodeJS.EventEmitter, 'on' | 'off'>,
  platform: NodeJS.Platform,
  listener: (signal: StopSignal) => void,
): () => void {
  const stops = Object.entries(platform === 'win32' ? endsOnWindows : ends).map(
    ([name, signal]) => [name, () => listener(signal)] as const,
  );
  for (const [name, heard] of stops) from.on(name, heard);
  return () => {
    for (const [name, heard] of stops) from.off(name, heard);
  };
}

async function prepareNetwork(): Promise<void> {
  // Nothing is loaded for machines that need nothing.
  const { env } = process;
  if (!(['HTTPS_PROXY', 'HTTP_PROXY', 'https_proxy', 'http_proxy'] as const).some((name) => env[name])) return;
  await (await import('@platform-sync/rest/http/proxied-fetch')).proxyFetch(env);
}

async function ask(question: string): Promise<string> {
  const { createInterface } = await import('node:readline/promises');
  const reader = createInterface({ input: process.stdin, output: process.stderr });
  // Ctrl-C at the question means no; the same for the end of input.
  return new Promise((resolve, reject) => {
    reader.once('SIGINT', () => {
      reader.close();
      // On Windows a signal that a process sends to itself ends it at once, whoever listens.
      if (!process.emit('SIGINT', 'SIGINT')) process.kill(process.pid, 'SIGINT');
    });
    reader.once('close', () => resolve(''));
    reader
      .question(question)
      .then(resolve, reject)
      .finally(() => reader.close());
  });
}

async function readInput(): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of process.stdin) chunks.push(Buffer.from(chunk as Uint8Array));
  return Buffer.concat(chunks).toString('utf8');
}

async function startSandbox(options: SandboxOptions): Promise<RunningSandbox> {
  const [server, { SandboxInputError }] = await Promise.all([
    import('@platform-sync/sandbox/server'),
    import('@platform-sync/sandbox/input-error'),
  ]);
  return server.startSandbox(options).catch((error: unknown) => {
    throw error instanceof SandboxInputError ? new UsageError(error.message) : error;
  });
}
