import { type RunningSandbox, type SandboxOptions, startSandbox } from '@platform-sync/sandbox/server';

export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Readonly<Record<string, unknown>>;
  /** As received. */
  readonly text: string;
}

/** A sandbox of its own, with the few calls that tests make. */
export class Client {
  readonly sandbox: RunningSandbox;

  private constructor(sandbox: RunningSandbox) {
    this.sandbox = sandbox;
  }

  static async start(options: SandboxOptions = {}): Promise<Client> {
    return new Client(await startSandbox(options));
  }

  /** Sends a token unless the headers name another, or an empty one. An object goes out as JSON, text as it is. */
  async call(method: string, path: string, body?: unknown, headers: Record<string, string> = {}): Promise<Reply> {
    const response = await fetch(this.sandbox.url + path, {
      method,
      headers: {
        authorization: 'Bearer test',
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    return { status: response.status, headers: response.headers, body: parsed(text), text };
  }

  get(path: string): Promise<Reply> {
    return this.call('GET', path);
  }

  /** Creates an object and answers its id. */
  async create(path: string, body: unknown): Promise<string> {
    const reply = await this.call('POST', path, body);
    if (reply.status !== 201) throw new Error(`POST ${path}: ${String(reply.status)} ${reply.text}`);
    return String(reply.body['id']);
  }

  /** The `data` of a list. */
  async list(path: string): Promise<readonly Readonly<Record<string, unknown>>[]> {
    const reply = await this.get(path);
    if (reply.status !== 200) throw new Error(`GET ${path}: ${String(reply.status)} ${reply.text}`);
    return reply.body['data'] as readonly Readonly<Record<string, unknown>>[];
  }

  async names(path: string): Promise<readonly unknown[]> {
    return (await this.list(path)).map((row) => row['name']);
  }

  close(): Promise<void> {
    return this.sandbox.close();
  }
}

function parsed(text: string): Readonly<Record<string, unknown>> {
  try {
    return JSON.parse(text) as Readonly<Record<string, unknown>>;
  } catch {
    return {};
  }
}

/** What the default seed calls the things that tests link to. */
export const seeded = {
  controlPlane: '8a1c6f0e-2f0b-4c55-9b7e-0d6d2c1f0a01',
  secondControlPlane: '8a1c6f0e-2f0b-4c55-9b7e-0d6d2c1f0a02',
  service: '8a1c6f0e-2f0b-4c55-9b7e-0d6d2c1f0b01',
  secondService: '8a1c6f0e-2f0b-4c55-9b7e-0d6d2c1f0b02',
  portal: '8a1c6f0e-2f0b-4c55-9b7e-0d6d2c1f0c01',
  portalWithStrategy: '8a1c6f0e-2f0b-4c55-9b7e-0d6d2c1f0c02',
  classicPortal: '8a1c6f0e-2f0b-4c55-9b7e-0d6d2c1f0d01',
  secondClassicPortal: '8a1c6f0e-2f0b-4c55-9b7e-0d6d2c1f0d02',
} as const;

export const nobody = '00000000-0000-4000-8000-000000000000';
