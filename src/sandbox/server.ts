import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { isIPv6, type AddressInfo } from 'node:net';
import { type FastifyInstance, fastify } from 'fastify';
import { parse } from 'yaml';
import { addRoutes } from './http/adapter.js';
import { parseForms, parseJson } from './http/body-parsers.js';
import { installDoors } from './http/doors.js';
import { installGate, requireToken } from './http/gate.js';
import { renderRefusals } from './http/refusals.js';
import { SandboxInputError } from './input-error.js';
import { isJsonObject } from './json.js';
import { type Platform, makePlatform } from './platform.js';
import { RateWindow } from './rate-window.js';
import type { Disk } from './store/disk.js';
import type { World } from './store/world.js';
import { openTls, type TlsMaterial } from './tls.js';

export interface SandboxOptions {
  /** Address to listen on; 127.0.0.1 unless given: others can use what listens elsewhere. */
  readonly host?: string;
  /** 0, the default, takes any free port. */
  readonly port?: number;
  /** Listens for TLS with a certificate of its own, which is for these names, too. */
  readonly tls?: { readonly names: readonly string[] };
  /** Folder that keeps the objects; without it they live in memory. */
  readonly data?: string;
  /** Added to every call of the imitated platform. */
  readonly latencyMs?: number;
  /** Calls a minute; beyond that 429 with `Retry-After`. */
  readonly rateLimit?: number;
  /** Nothing is there at first, but what a seed says. */
  readonly empty?: boolean;
  /** Objects on top of the default ones, by path or by collection, or the path of a YAML or JSON file with them. */
  readonly seed?: string | Readonly<Record<string, unknown>>;
  /** The only bearer token let in, at the controls, too; any unless given, and the controls ask for none. */
  readonly token?: string;
  /** Don't write internal errors to stderr. */
  readonly quiet?: boolean;
  /** Seed that shuffles every order a client must not rely on: attribute values, lists, siblings. */
  readonly shuffle?: number;
  /** Milliseconds since the epoch; the system's clock unless given. */
  readonly clock?: () => number;
  /** Makes UUIDs; by chance unless given. */
  readonly id?: () => string;
}

export interface RunningSandbox {
  readonly url: string;
  readonly port: number;
  /** Path of the certificate that clients have to trust, with TLS. */
  readonly certificate?: string;
  /** Stops listening, cuts open connections and flushes what is kept on disk. */
  close(): Promise<void>;
}

const ownHost = '127.0.0.1';
const largestBody = 64 * 1024 * 1024;

/** Starts the stand-in for both services. Resolves when it listens. */
export async function startSandbox(options: SandboxOptions = {}): Promise<RunningSandbox> {
  const clock = options.clock ?? Date.now;
  const seed = await readSeed(options.seed);
  const { shuffle, empty } = options;
  const platform = makePlatform({ clock, id: options.id ?? randomUUID, shuffle, empty, seed });
  const disk = await openData(options.data, platform.world);
  const tls = options.tls === undefined ? undefined : await openTls(options.data, options.tls.names);
  try {
    if (disk?.hadObjects !== true) platform.fill();
    const app = build({ ...options, secure: tls }, platform, clock);
    await listen(app, options.host ?? ownHost, options.port ?? 0);
    const { port } = app.server.address() as AddressInfo;
    const close = async (): Promise<void> => {
      await app.close();
      disk?.close();
      await tls?.forget();
    };
    const url = `${tls === undefined ? 'http' : 'https'}://${urlHost(options.host ?? ownHost)}:${String(port)}`;
    return { url, port, close, ...(tls === undefined ? {} : { certificate: tls.path }) };
  } catch (error) {
    disk?.close();
    await tls?.forget();
    throw error;
  }
}

async function openData(directory: string | undefined, world: World): Promise<Disk | undefined> {
  if (directory === undefined) return undefined;
  const { openDisk } = await import('./store/disk.js');
  try {
    return await openDisk(directory, world);
  } catch (error) {
    throw new SandboxInputError(`The data folder ${directory} can't be used: ${reasonOf(error)}`);
  }
}

/** How this machine reaches what listens there. */
function urlHost(host: string): string {
  if (host === '0.0.0.0' || host === '::') return ownHost;
  return isIPv6(host) ? `[${host}]` : host;
}

async function listen(app: FastifyInstance, host: string, port: number): Promise<void> {
  try {
    await app.listen({ host, port });
  } catch (error) {
    throw new SandboxInputError(`The sandbox can't listen on ${host}, port ${String(port)}: ${reasonOf(error)}`);
  }
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

async function readSeed(seed: SandboxOptions['seed']): Promise<Readonly<Record<string, unknown>>> {
  if (seed === undefined) return {};
  if (typeof seed !== 'string') return seed;
  let parsed: unknown;
  try {
    parsed = parse(await readFile(seed, 'utf8'));
  } catch (error) {
    throw new SandboxInputError(`The seed file ${seed} can't be read: ${reasonOf(error)}`);
  }
  if (!isJsonObject(parsed))
    throw new SandboxInputError(`The seed file ${seed} holds no objects by path or collection.`);
  return parsed;
}

function build(
  options: SandboxOptions & { readonly secure: TlsMaterial | undefined },
  { controls, platform: routes, cloud: cloudRoutes, ...parts }: Platform,
  clock: () => number,
): FastifyInstance {
  const app = bareServer(options.secure);
  const { trace } = parts.world;
  const rate = options.rateLimit === undefined ? undefined : new RateWindow(options.rateLimit, clock);
  const gate = { ...parts, trace, rate, token: options.token, latencyMs: options.latencyMs ?? 0 };
  const onBug = (error: unknown): void => {
    if (options.quiet !== true)
      process.stderr.write(`sandbox: ${String(error instanceof Error ? error.stack : error)}\n`);
  };

  installDoors(app, { host: options.host ?? ownHost, names: options.tls?.names ?? [] }, trace);
  void app.register((control, _options, done) => {
    parseJson(control);
    requireToken(control, gate);
    addRoutes(control, controls);
    done();
  });
  void app.register((platform, _options, done) => {
    parseJson(platform);
    installGate(platform, gate);
    renderRefusals(platform, trace, onBug);
    addRoutes(platform, routes);
    void platform.register((cloud, _cloudOptions, cloudDone) => {
      parseForms(cloud);
      addRoutes(cloud, cloudRoutes);
      cloudDone();
    });
    done();
  });
  return app;
}

function bareServer(secure: TlsMaterial | undefined): FastifyInstance {
  const settings = {
    logger: false,
    bodyLimit: largestBody,
    forceCloseConnections: true,
    routerOptions: { maxParamLength: 1024, ignoreTrailingSlash: false },
  } as const;
  if (secure === undefined) return fastify(settings);
  const https = { key: secure.key, cert: secure.certificate };
  // The kind of server is of no concern to routes.
  return fastify({ ...settings, https }) as unknown as FastifyInstance;
}
