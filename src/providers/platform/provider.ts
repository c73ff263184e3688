import {
  ProviderError,
  type LookupType,
  type Provider,
  type ProviderContext,
} from '@platform-sync/core/model/provider';
import { Redactor } from '@platform-sync/core/model/redactor';
import { HttpClient } from '@platform-sync/rest/http/client';
import { objectCalls } from '@platform-sync/rest/provider';
import { Session } from '@platform-sync/rest/session';
import type { DefinedTypes } from '@platform-sync/rest/types';
import { platformConnection } from './connection.js';
import { chooseCredential } from './credentials.js';
import { problem } from './errors.js';
import { readSpecification } from './hooks/read-specification.js';
import { writeSpecification } from './hooks/write-specification.js';
import { resolveHosts } from './hosts.js';
import { admitServer, chooseServerUrl } from './settings.js';

/** Starts the provider. Rejects with a configuration error for settings that can't work; sends nothing yet. */
export async function startPlatform(
  context: ProviderContext,
  { types, restOf }: DefinedTypes,
  lookups: ReadonlyMap<string, LookupType>,
): Promise<Provider> {
  const server = chooseServerUrl(context);
  const hosts = resolveHosts(server.url, server.source);
  await admitServer(context, server, hosts);
  const { credential, warnings } = chooseCredential(context);
  for (const warning of warnings) context.onDiagnostic?.(warning);
  const http = new HttpClient(context);
  const session = new Session({
    ...platformConnection({
      http,
      hosts,
      credential,
      userAgent: context.userAgent,
      redactor: context.redactor ?? new Redactor(),
    }),
    onDiagnostic: context.onDiagnostic,
    onWait: context.onWait,
    world: context.world,
  });
  return {
    name: 'platform',
    target: hosts.target,
    targetSource: server.source,
    types,
    ...objectCalls(session, restOf, {
      readWriteOnly: { specification: readSpecification },
      writeKept: { specification: writeSpecification },
    }),
    lookup: async (token, args, options = {}) => {
      const lookup = lookups.get(token);
      if (lookup === undefined)
        throw new ProviderError('invalid', [problem('unknown-lookup', `There is no lookup ${token}.`)]);
      const { runLookup } = await import('./lookups/run-lookup.js');
      return runLookup(session, lookup, args, options);
    },
    requests: () => http.requests,
    close: () => http.close(),
  };
}
