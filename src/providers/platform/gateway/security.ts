import { DocumentFault } from '@platform-sync/core/model/document-fault';
import { defined, type Json, type JsonObject } from '@platform-sync/core/model/value';
import { toPointer } from '@platform-sync/core/model/json-pointer';
import { asList, asObject, asText } from '@platform-sync/rest/http/json';
import { extensions } from '../wire.js';
import { referred, type GatewayPlugin } from './specification.js';

/**
 * The plugin that asks callers who they are, as `security` requires; undefined where nobody is asked. A text where no single plugin
 * does what is required: which schemes those are.
 */
export function authPlugin(
  document: JsonObject,
  security: Json,
  keys: readonly string[],
): GatewayPlugin | string | undefined {
  const requirements = (asList(security) ?? []).map((each) => Object.entries(asObject(each) ?? {}));
  const schemes = asObject(asObject(document['components'])?.['securitySchemes']) ?? {};
  for (const [name] of requirements.flat()) if (!Object.hasOwn(schemes, name)) throw noScheme(name, keys);
  const asking = requirements.filter((each) => each.length > 0);
  // An empty one lets everybody in.
  if (asking.length === 0 || asking.length < requirements.length) return undefined;
  const [[name, scopes] = ['', []]] = asking[0] ?? [];
  const isOne = asking.length === 1 && asking[0]?.length === 1;
  const made = isOne
    ? pluginOf(document, referred(document, schemes[name]), (asList(scopes) ?? []).map(String))
    : undefined;
  if (made === undefined) return asking.map((each) => each.map(([scheme]) => scheme).join(' and ')).join(' or ');
  return { name: made.name, at: toPointer(['components', 'securitySchemes', name]), fields: made };
}

function noScheme(name: string, keys: readonly string[]): DocumentFault {
  const why = `requires the security scheme ${name}, which is not there`;
  return new DocumentFault(why, keys, 'Describe it under components.securitySchemes.');
}

type PluginFields = JsonObject & { readonly name: string };

function pluginOf(document: JsonObject, scheme: JsonObject, scopes: readonly string[]): PluginFields | undefined {
  const kind = asText(scheme['type']);
  if (kind === 'openIdConnect') return openIdConnect(document, scheme, scopes);
  if (kind === 'apiKey') return keyAuth(document, scheme);
  if (kind !== 'http') return undefined;
  const word = asText(scheme['scheme'])?.toLowerCase();
  if (word === 'basic') return { name: 'basic-auth', ...settings(document, scheme, 'basic-auth') };
  return word === 'bearer' && /^jwt$/i.test(asText(scheme['bearerFormat']) ?? '')
    ? { name: 'jwt', ...settings(document, scheme, 'jwt') }
    : undefined;
}

/** Scopes that the call requires come to those that its settings name. */
function openIdConnect(document: JsonObject, scheme: JsonObject, scopes: readonly string[]): PluginFields {
  const { config, ...others } = settings(document, scheme, 'openid-connect');
  const given = asObject(config) ?? {};
  const all = [...new Set([...(asList(given['scopes_required']) ?? []).map(String), ...scopes])].sort();
  const issuer = asText(scheme['openIdConnectUrl']);
  const required = all.length === 0 ? {} : { scopes_required: all };
  return { name: 'openid-connect', ...others, config: { ...defined({ issuer }), ...given, ...required } };
}

function keyAuth(document: JsonObject, scheme: JsonObject): PluginFields {
  const { config, ...others } = settings(document, scheme, 'key-auth');
  const place = asText(scheme['in']);
  const own = {
    key_names: [asText(scheme['name']) ?? 'apikey'],
    key_in_header: place === 'header',
    key_in_query: place === 'query',
  };
  return { name: 'key-auth', ...others, config: { ...own, ...asObject(config) } };
}

function settings(document: JsonObject, scheme: JsonObject, plugin: string): JsonObject {
  return referred(document, scheme[`${extensions.security}${plugin}`]);
}
