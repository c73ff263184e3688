import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openProject } from '@platform-sync/engine/engine';
import { providerPackages } from '@platform-sync/sdk/registry';
import { startSandbox } from '@platform-sync/sandbox/server';
import { fakeProgram } from '../cli/fake-host.js';
import { realWorld, type World } from '@platform-sync/core/model/world';

const hurriedWorld: World = { ...realWorld, sleep: (ms, until) => realWorld.sleep(Math.min(ms, 20), until) };

/** A folder for the path of a shell, whose `sync` hands its words to this process instead of starting one. */
export interface InProcessSync {
  readonly path: string;
  close(): Promise<void>;
}

interface Call {
  readonly argv: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** What came in on stdin, where `-` asks for it. */
  readonly input: string;
}

/** `isAttended`: somebody sits at the terminal and agrees; in a pipeline nobody does, and no wait is sat out. */
export async function inProcessSync({ isAttended = true } = {}): Promise<InProcessSync> {
  const path = await mkdtemp(join(tmpdir(), 'sync-path-'));
  const address = join(path, 'socket');
  const server = createServer((socket) => void answer(socket, isAttended));
  await new Promise<void>((listening) => server.listen(address, listening));
  for (const name of ['sync', 'platform-sync']) {
    await writeFile(join(path, name), client(address));
    await chmod(join(path, name), 0o755);
  }
  return {
    path,
    close: async () => {
      await new Promise<void>((closed) => server.close(() => closed()));
      await rm(path, { recursive: true, force: true });
    },
  };
}

async function answer(socket: Socket, isAttended: boolean): Promise<void> {
  socket.on('error', () => undefined);
  const { argv, cwd, env, input } = await firstLine(socket);
  const send = (frame: object): void => void (socket.writable && socket.write(`${JSON.stringify(frame)}\n`));
  const { run } = fakeProgram({
    host: {
      ...{ env, cwd, openProject, packages: async () => providerPackages },
      out: (text) => send({ out: text }),
      err: (text) => send({ err: text }),
      world: isAttended ? realWorld : hurriedWorld,
      interactive: isAttended,
      ask: async () => 'yes',
      readInput: async () => input,
      onSignal: (listener) => {
        const gone = (): void => listener('SIGTERM');
        socket.once('close', gone);
        return () => void socket.off('close', gone);
      },
      startSandbox: (options) => startSandbox({ ...options, quiet: true }),
    },
  });
  const { code } = await run(...argv);
  send({ code });
  socket.end();
}

async function firstLine(socket: Socket): Promise<Call> {
  let text = '';
  for await (const part of socket.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    text += part.toString();
    if (text.includes('\n')) break;
  }
  return JSON.parse(text) as Call;
}

const program = fileURLToPath(new URL('../../bin/dev.js', import.meta.url));

// What Node reads once, at its start, only a process of its own can be told.
const client = (address: string): string => `#!${process.execPath}
const [argv, cwd, env] = [process.argv.slice(2), process.cwd(), process.env];
if (env.NODE_EXTRA_CA_CERTS) {
  const { spawnSync } = require('node:child_process');
  const { status } = spawnSync(process.execPath, [${JSON.stringify(program)}, ...argv], { stdio: 'inherit' });
  process.exit(status ?? 1);
}
const socket = require('node:net').connect(${JSON.stringify(address)});
const input = argv.includes('-') ? require('node:fs').readFileSync(0, 'utf8') : '';
socket.write(JSON.stringify({ argv, cwd, env, input }) + '\\n');
let text = '';
socket.on('data', (part) => {
  text += part;
  const lines = text.split('\\n');
  text = lines.pop();
  for (const line of lines) {
    const { out, err, code } = JSON.parse(line);
    if (out !== undefined) process.stdout.write(out);
    if (err !== undefined) process.stderr.write(err);
    if (code !== undefined) process.exitCode = code;
  }
});
process.on('SIGTERM', () => { socket.destroy(); process.exit(143); });
`;
