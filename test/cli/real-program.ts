import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { openProject } from '@platform-sync/engine/engine';
import { providerPackages } from '@platform-sync/sdk/registry';
import { startSandbox, type SandboxOptions } from '@platform-sync/sandbox/server';
import { fakeProgram } from './fake-host.js';
import { realWorld } from '@platform-sync/core/model/world';

export interface Printed {
  readonly line: string;
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** The program on its real engine, providers and state file, against a sandbox of its own; it keeps all that it prints. */
export interface RealProgram {
  readonly folder: string;
  readonly url: string;
  readonly printed: readonly Printed[];
  env: Readonly<Record<string, string>>;
  /** Progress is one line that is painted again and again. */
  isTerminal: boolean;
  /** At the most talkative level. */
  run(...argv: string[]): Promise<Printed>;
  write(files: Readonly<Record<string, string>>): Promise<void>;
  /** Every file below the project's folder by its path, as bytes. */
  files(): Promise<ReadonlyMap<string, Buffer>>;
  call(method: string, path: string, body?: unknown): Promise<unknown>;
  close(): Promise<void>;
}

export async function realProgram(
  env: Readonly<Record<string, string>>,
  options: SandboxOptions = {},
): Promise<RealProgram> {
  const sandbox = await startSandbox({ quiet: true, ...options });
  const folder = await mkdtemp(join(tmpdir(), 'sync-real-'));
  const printed: Printed[] = [];
  const program: RealProgram = {
    folder,
    url: sandbox.url,
    printed,
    env: { PLATFORM_SERVER_URL: sandbox.url, ...env },
    isTerminal: false,
    run: async (...argv) => {
      const { run } = fakeProgram({
        host: {
          ...{ env: program.env, cwd: folder, openProject, packages: async () => providerPackages },
          ...{ errIsTerminal: program.isTerminal, world: realWorld },
          startSandbox: (own) => startSandbox({ quiet: true, ...own }),
        },
      });
      const result = { line: argv.join(' '), ...(await run(...argv, '--log-level', 'debug')) };
      printed.push(result);
      return result;
    },
    write: async (files) => {
      for (const [name, text] of Object.entries(files)) {
        await mkdir(dirname(join(folder, name)), { recursive: true });
        await writeFile(join(folder, name), text);
      }
    },
    files: async () => {
      const entries = await readdir(folder, { recursive: true, withFileTypes: true });
      const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
      const read = await Promise.all(
        paths.map(async (path) => {
          // The database takes its own side files away when it likes.
          const bytes = await readFile(path).catch(() => undefined);
          return bytes === undefined ? [] : [[relative(folder, path), bytes] as const];
        }),
      );
      return new Map(read.flat());
    },
    call: async (method, path, body) => {
      const headers = {
        authorization: `Bearer ${program.env['PLATFORM_TOKEN'] ?? 'x'}`,
        'content-type': 'application/json',
      };
      const answer = await fetch(sandbox.url + path, {
        method,
        headers,
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
      return answer.status === 204 ? undefined : answer.json();
    },
    close: async () => {
      await sandbox.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
  return program;
}

/** Another service's other end: keeps what is sent to it. */
export interface Listener {
  readonly url: string;
  readonly bodies: readonly string[];
  close(): Promise<void>;
}

/** Takes whatever comes: a webhook, a collector of metrics, and the issues of a repository that has none. */
export async function startListener(): Promise<Listener> {
  const bodies: string[] = [];
  const server = createServer((request, response) => {
    let text = '';
    request.setEncoding('utf8');
    request.on('data', (part: string) => (text += part));
    request.on('end', () => {
      if (text !== '') bodies.push(text);
      const isPost = request.method === 'POST';
      const made = {
        number: 1,
        id: 1,
        body: '',
        html_url: 'https://review.example.com/1',
        user: { id: 7, login: 'me' },
      };
      const answer = request.url?.endsWith('/user') ? made.user : isPost ? made : [];
      response.writeHead(isPost ? 201 : 200, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
    });
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    bodies,
    close: async () => {
      server.closeAllConnections();
      await new Promise<void>((closed) => server.close(() => closed()));
    },
  };
}
