import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync, readFileSync } from 'node:fs';
import { createServer as createPlain } from 'node:http';
import { createServer as createNet, type AddressInfo, type Server, type Socket } from 'node:net';
import { createServer } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Secrets of the machine that attacks go for; none of them may arrive anywhere. */
export const canary = 'canary-7f3a9c51e2';

/** Every name on this machine leads here, and everything that comes is kept. */
export interface ForeignHost {
  /** Port of a web server with a certificate that the program accepts for every name below `foreign.test`. */
  readonly port: number;
  /** Port that takes any bytes, such as a database's. */
  readonly rawPort: number;
  /** Port of a web server without encryption. */
  readonly plainPort: number;
  /** What came, all ports. */
  received(): string;
  connections(): number;
  /** Variables for a child process: resolves every name to this machine, trusts the certificate. */
  readonly env: Readonly<Record<string, string>>;
  /** Answers of the web server by path; else an empty list. */
  readonly answers: Map<string, { status: number; headers?: Record<string, string>; body: string }>;
  close(): Promise<void>;
}

/** A listener under foreign names with a certificate of its own, made for this test. */
export async function startForeignHost(): Promise<ForeignHost> {
  const folder = mkdtempSync(join(tmpdir(), 'sync-foreign-'));
  const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
  const names = ['foreign.test', '*.foreign.test', '*.api.foreign.test', 'xn--ber-goa.test', 'localhost'];
  execFileSync(
    'openssl',
    [
      ...['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2'],
      ...['-keyout', key, '-out', cert, '-subj', '/CN=foreign.test'],
      ...['-addext', `subjectAltName=${names.map((name) => `DNS:${name}`).join(',')}`],
    ],
    { stdio: 'ignore' },
  );
  // Foreign names need no name server: the child's own resolver is told, for both ways of asking it.
  const preload = join(folder, 'resolve.mjs');
  writeFileSync(
    preload,
    `import dns from 'node:dns';
const here = (options) => (options && options.all ? [[{ address: '127.0.0.1', family: 4 }]] : ['127.0.0.1', 4]);
dns.lookup = (name, options, done) => {
  const callback = typeof options === 'function' ? options : done;
  process.nextTick(() => callback(null, ...here(typeof options === 'object' ? options : {})));
};
dns.promises.lookup = async (name, options) => (options?.all ? [{ address: '127.0.0.1', family: 4 }] : { address: '127.0.0.1', family: 4 });
`,
  );
  let bytes = '';
  let connections = 0;
  const answers: ForeignHost['answers'] = new Map();
  const handler: Parameters<typeof createPlain>[1] = (request, response) => {
    bytes += `${request.method} ${request.headers.host} ${request.url} ${JSON.stringify(request.headers)}\n`;
    request.on('data', (chunk: Buffer) => (bytes += chunk.toString('latin1')));
    request.on('end', () => {
      const answer = answers.get((request.url ?? '').split('?')[0] ?? '') ?? {
        status: 200,
        body: '{"data":[],"meta":{"page":{"total":0}}}',
      };
      response.writeHead(answer.status, { 'content-type': 'application/json', ...answer.headers }).end(answer.body);
    });
  };
  const web = createServer({ key: readFileSync(key), cert: readFileSync(cert) }, handler);
  const plain = createPlain(handler);
  const sockets = new Set<Socket>();
  const raw = createNet((socket) => {
    sockets.add(socket);
    connections += 1;
    socket.on('error', () => undefined);
    socket.on('data', (chunk: Buffer) => {
      bytes += chunk.toString('latin1');
      // An SSL request of PostgreSQL: no. Its start-up: the password in clear text, please.
      if (chunk.length === 8 && chunk.readUInt32BE(4) === 80877103) socket.write('N');
      else if (chunk[0] === 0x70) socket.destroy();
      else if (chunk[0] === 0) socket.write(Buffer.from([0x52, 0, 0, 0, 8, 0, 0, 0, 3]));
    });
  });
  for (const server of [web, plain]) server.on('connection', () => (connections += 1));
  await Promise.all([web, plain, raw].map(listening));
  return {
    port: portOf(web),
    rawPort: portOf(raw),
    plainPort: portOf(plain),
    received: () => bytes,
    connections: () => connections,
    env: { NODE_OPTIONS: `--import=${preload}`, NODE_EXTRA_CA_CERTS: cert },
    answers,
    close: async () => {
      web.closeAllConnections();
      plain.closeAllConnections();
      for (const socket of sockets) socket.destroy();
      await Promise.all([web, plain, raw].map((server) => new Promise<void>((done) => server.close(() => done()))));
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function listening(server: Server): Promise<void> {
  return new Promise((done) => server.listen(0, '127.0.0.1', done));
}

function portOf(server: Server): number {
  return (server.address() as AddressInfo).port;
}

/** One run of the shipped program. */
export interface Run {
  readonly code: number;
  readonly out: string;
}

export function runProgram(
  program: string,
  args: readonly string[],
  cwd: string,
  env: Readonly<Record<string, string>>,
): Promise<Run> {
  return new Promise((done, failed) => {
    const child = spawn(process.execPath, [program, ...args], { cwd, env });
    let out = '';
    child.stdout.on('data', (chunk: Buffer) => void (out += chunk.toString('utf8')));
    child.stderr.on('data', (chunk: Buffer) => void (out += chunk.toString('utf8')));
    child.on('error', failed);
    child.on('close', (code) => done({ code: code ?? -1, out }));
  });
}
