import { onTestFinished } from 'vitest';
import { programTrust } from '@platform-sync/core/model/trust';
import { ProviderError, type Provider, type ProviderContext } from '@platform-sync/core/model/provider';
import type { Json, JsonObject } from '@platform-sync/core/model/value';
import { cloudPackage } from '@platform-sync/cloud/package';
import { startCloud, type CloudHost } from '@platform-sync/cloud/provider';
import type { Clock } from '@platform-sync/rest/http/clock';
import { loopback, type Loopback, type Reaction, type SeenRequest } from '../http/loopback.js';

export const canary = 'canary-token-0123456789';
export const token = 'cloud:endpoints/getServiceIamPolicy:getServiceIamPolicy';
export const service = 'payments.endpoints.example.cloud';

/** A clock that jumps: what waits is woken at once, as if the time had passed. */
export class JumpingClock implements Clock {
  #now = 1_700_000_000_000;
  #deadlines: { readonly at: number; readonly run: () => void }[] = [];
  /** Milliseconds of each wait, in order. */
  readonly waits: number[] = [];
  readonly #deadlineMs: number;

  /** A timer this long watches over others and passes only with their waits. */
  constructor(deadlineMs: number) {
    this.#deadlineMs = deadlineMs;
  }

  now = (): number => this.#now;

  after = (ms: number, run: () => void): (() => void) => {
    if (ms === this.#deadlineMs) {
      const timer = { at: this.#now + ms, run };
      this.#deadlines.push(timer);
      return () => (this.#deadlines = this.#deadlines.filter((other) => other !== timer));
    }
    this.waits.push(ms);
    const immediate = setImmediate(() => {
      this.#now += ms;
      for (const { at, run: late } of this.#deadlines) if (at <= this.#now) late();
      run();
    });
    return () => clearImmediate(immediate);
  };

  /** Lets all deadlines pass at once. */
  strike(): void {
    for (const { run } of this.#deadlines) run();
  }
}

export interface Rig {
  readonly provider: Provider;
  readonly server: Loopback;
  readonly clock: JumpingClock;
  readonly said: { readonly ms: number; readonly reason: string }[];
  lookup(args?: JsonObject): Promise<JsonObject>;
}

/** A started provider with a ready-made token, and a scripted server behind it. */
export async function rig(
  react: (request: SeenRequest, nth: number) => Reaction,
  context: Partial<ProviderContext> = {},
  surroundings: CloudHost = {},
): Promise<Rig> {
  const server = await loopback(react);
  const clock = new JumpingClock(120_000);
  const said: { ms: number; reason: string }[] = [];
  const { settings, ...rest } = context;
  const provider = await startCloud(
    {
      settings: { accessToken: canary, serviceManagementCustomEndpoint: `${server.origin}/v1/`, ...settings },
      env: {},
      trust: programTrust,
      concurrency: 4,
      userAgent: 'platform-sync/0.0.0 (test)',
      onWait: (wait) => said.push(wait),
      ...rest,
    },
    cloudPackage,
    { clock, random: () => 0.5, ...surroundings },
  );
  onTestFinished(async () => {
    await provider.close();
    await server.close();
  });
  const lookup = (args: JsonObject = { serviceName: service }): Promise<JsonObject> => provider.lookup(token, args);
  return { provider, server, clock, said, lookup };
}

type Answered = Extract<Reaction, { readonly status: number }>;

/** An error of the service, in its own form. */
export function refusal(status: number, message: string, more: JsonObject = {}): Answered {
  return { status, json: { error: { code: status, message, ...more } } };
}

export function policy(body: Json = { etag: 'ACAB' }): Answered {
  return { status: 200, json: body };
}

/** The ProviderError a call ends with. */
export async function failure(run: Promise<unknown>): Promise<ProviderError> {
  const error: unknown = await run.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (error instanceof ProviderError) return error;
  throw new Error(`expected a ProviderError, got ${String(error)}`);
}
