import { type JsonObject, isJsonObject } from '../json.js';

/** How a control plane shows what it was made with. */
export function withConfiguration(object: JsonObject): JsonObject {
  const { cluster_type, auth_type, cloud_gateway, proxy_urls, ...rest } = object;
  const before = isJsonObject(rest['config']) ? rest['config'] : {};
  const chosen = Object.entries({ cluster_type, auth_type, cloud_gateway, proxy_urls }).filter(
    ([, value]) => value !== undefined,
  );
  const first = { auth_type: 'pinned_client_certs', cloud_gateway: false, proxy_urls: [] };
  return { ...rest, config: { ...first, ...before, ...Object.fromEntries(chosen) } };
}
