import { onTestFinished } from 'vitest';
import { programTrust } from '@platform-sync/core/model/trust';
import type { Diagnostic } from '@platform-sync/core/model/diagnostic';
import { ProviderError, type Provider, type ProviderContext } from '@platform-sync/core/model/provider';
import type { ResourceType } from '@platform-sync/core/model/resource-type';
import type { Json } from '@platform-sync/core/model/value';
import { platformPackage } from '@platform-sync/platform/package';
import { loopback, type Loopback, type Reaction, type SeenRequest } from '../http/loopback.js';

export const canary = 'canary-token-0123456789';

export interface Rig {
  readonly provider: Provider;
  readonly server: Loopback;
  /** `GET /v3/apis?page%5Bsize%5D=100…` of each request, decoded. */
  readonly calls: () => string[];
  /** Parsed body of the nth request. */
  readonly body: (nth?: number) => unknown;
  readonly warnings: Diagnostic[];
}

/** A started provider and a scripted server behind it. */
export async function rig(
  react: (request: SeenRequest, nth: number) => Reaction,
  context: Partial<ProviderContext> = {},
): Promise<Rig> {
  const server = await loopback(react);
  const warnings: Diagnostic[] = [];
  const provider = await platformPackage.start({
    settings: { serverUrl: server.origin },
    env: { PLATFORM_TOKEN: canary },
    trust: programTrust,
    concurrency: 4,
    userAgent: 'platform-sync/0.0.0 (test)',
    onDiagnostic: (diagnostic) => warnings.push(diagnostic),
    ...context,
  });
  onTestFinished(async () => {
    await provider.close();
    await server.close();
  });
  return {
    provider,
    server,
    warnings,
    calls: () => server.seen.map(({ method, url }) => `${method} ${decodeURIComponent(url)}`),
    body: (nth = 0) => JSON.parse(server.seen[nth]?.body ?? 'null') as unknown,
  };
}

export function typeNamed(name: string): ResourceType {
  const type = platformPackage.types.get(`platform:index/${name[0]?.toLowerCase()}${name.slice(1)}:${name}`);
  if (type === undefined) throw new Error(`no type ${name}`);
  return type;
}

/** The answer to a list call. */
export function page(items: readonly Json[], total = items.length, size = 100): Reaction {
  return { status: 200, json: { meta: { page: { number: 1, size, total } }, data: items } };
}

/** The platform's own word that something does not exist. */
export const gone: Reaction = {
  status: 404,
  headers: { 'content-type': 'application/problem+json' },
  json: { status: 404, title: 'Not Found', instance: 'trace:1' },
};

/** The ProviderError a call ends with. */
export async function failure(run: Promise<unknown>): Promise<ProviderError> {
  const error: unknown = await run.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (error instanceof ProviderError) return error;
  throw new Error(`expected a ProviderError, got ${String(error)}`);
}
