import { ProviderError, type LookupType, type Provider, type ProviderContext } from '../../engine/model/provider.js';
import type { ResourceType } from '../../engine/model/resource-type.js';
import { HttpClient } from '../http/client.js';
import { chooseCredential } from './credentials.js';
import { problem } from './errors.js';
import { resolveHosts } from './hosts.js';
import { createObject } from './operations/create.js';
import { deleteObject } from './operations/delete.js';
import { findObjects } from './operations/find.js';
import { listObjects } from './operations/list.js';
import { readObject } from './operations/read.js';
import { Session } from './operations/session.js';
import { updateObject } from './operations/update.js';
import type { WireType } from './operations/wire-type.js';
import { wireTypes } from './operations/wire-types.js';
import { admitServer, chooseServerUrl } from './settings.js';

/** Starts the provider. Rejects with a configuration error for settings that can't work; sends nothing yet. */
export async function startPlatform(
  context: ProviderContext,
  types: ReadonlyMap<string, ResourceType>,
  lookups: ReadonlyMap<string, LookupType>,
): Promise<Provider> {
  const server = chooseServerUrl(context);
  const hosts = resolveHosts(server.url, server.source);
  await admitServer(context, server, hosts);
  const { credential, warnings } = chooseCredential(context);
  for (const warning of warnings) context.onDiagnostic?.(warning);
  const http = new HttpClient(context);
  const session = new Session({ http, hosts, credential, userAgent: context.userAgent, redactor: context.redactor });
  return {
    name: 'platform',
    target: hosts.target,
    targetSource: server.source,
    types,
    list: (type, scope, options = {}) => listObjects(session, type, wireOf(type), scope, options),
    read: (type, identity, options = {}) => readObject(session, type, wireOf(type), identity, options),
    readWriteOnly: async (type, identity, options = {}) =>
      (await wireOf(type).readWriteOnly?.(session, identity, options)) ?? {},
    find: (type, scope, inputs, options = {}) => findObjects(session, type, wireOf(type), scope, inputs, options),
    create: (type, scope, inputs, options = {}) => createObject(session, type, wireOf(type), scope, inputs, options),
    update: (type, request, options = {}) => updateObject(session, type, wireOf(type), request, options),
    delete: (type, identity, options = {}) => deleteObject(session, type, wireOf(type), identity, options),
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

function wireOf(type: ResourceType): WireType {
  const wire = wireTypes.get(type.token);
  if (wire === undefined) throw new Error(`bug: no calls for ${type.token}`);
  return wire;
}
