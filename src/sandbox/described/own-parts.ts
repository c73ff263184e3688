import { type Json, type JsonObject, isJsonObject } from '../json.js';
import { plain } from './families.js';

type Parts = (object: JsonObject) => JsonObject;

const core = '/v2/control-planes/{}/core-entities';

/** What the platform puts into objects beside what it was given, by the path of their collection: no description tells. */
const parts: Readonly<Record<string, Parts>> = {
  // Fields that the organisation has for all services.
  '/v1/catalog-services': ({ custom_fields: fields }) => ({
    custom_fields: { cost_center: null, support_channel: null, ...recordOf(fields) },
  }),
  // The integration that it is an instance of.
  '/v1/integration-instances': ({ integration_name: name }) =>
    typeof name === 'string' ? { integration: { name, display_name: name } } : {},
  // The defaults of whatever keeps the secrets.
  [`${core}/vaults`]: ({ config }) => ({ config: { base64_decode: false, ttl: null, ...recordOf(config) } }),
  // A key is answered as the JSON that it is, in a spelling of the platform's own.
  [`${core}/keys`]: ({ jwk }) => (typeof jwk === 'string' ? { jwk: respelt(jwk) } : {}),
  [`${core}/plugins`]: ({ partials, ...plugin }) => ({
    ...(Array.isArray(partials) ? { partials: partials.map(linked) } : {}),
    ...(plugin['name'] === 'app-dynamics' ? { config: { enabled: true, ...recordOf(plugin['config']) } } : {}),
  }),
};

function respelt(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), undefined, 2);
  } catch {
    return text;
  }
}

/** A partial that a plugin shares is shown with where it counts. */
function linked(partial: Json): Json {
  return isJsonObject(partial) ? { name: null, path: 'config.redis', ...partial } : partial;
}

/** A body that gives back what the platform shows of itself, as the description has it: no name is none. */
export function withoutOwnNulls(path: string, body: JsonObject): JsonObject {
  const { partials } = body;
  if (!plain(path).startsWith(`${core}/plugins`) || !Array.isArray(partials)) return body;
  return { ...body, partials: partials.map(unnamed) };
}

function unnamed(partial: Json): Json {
  const { name, ...others } = recordOf(partial);
  return name === null ? others : partial;
}

function recordOf(value: Json | undefined): JsonObject {
  return isJsonObject(value) ? value : {};
}

export function withOwnParts(collection: string, object: JsonObject): JsonObject {
  return { ...object, ...parts[plain(collection)]?.(object) };
}
