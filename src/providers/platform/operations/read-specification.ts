import type { CallOptions } from '../../../engine/model/provider.js';
import { ProviderError } from '../../../engine/model/provider.js';
import type { Identity } from '../../../engine/model/state.js';
import type { JsonObject } from '../../../engine/model/value.js';
import { asList, asObject, asText } from '../../http/json.js';
import { pathOf } from './addressing.js';
import type { Session } from './session.js';

/**
 * The specification an API was created with. It is never answered by the API itself; it lives on as a version below
 * it. `{}` when no version can be told to be the current one, or the token may not see versions.
 */
export async function readSpecification(
  session: Session,
  identity: Identity,
  options: CallOptions,
): Promise<JsonObject> {
  const get = (path: string): Promise<JsonObject | undefined> =>
    session.call({ method: 'GET', path, ...options }).then(asObject);
  const apiPath = pathOf('/v3/apis/{id}', { id: identity.id });
  try {
    const api = await get(apiPath);
    const summary = asObject(api?.current_version_summary);
    const current = asText(summary?.id) ?? onlyVersion(await get(`${apiPath}/versions`));
    if (current === undefined) return {};
    const version = await get(pathOf('/v3/apis/{id}/versions/{version}', { id: identity.id, version: current }));
    const content = asText(asObject(version?.spec)?.content);
    return content === undefined ? {} : { specContent: content };
  } catch (error) {
    if (error instanceof ProviderError && (error.kind === 'forbidden' || error.kind === 'not-found')) return {};
    throw error;
  }
}

function onlyVersion(list: JsonObject | undefined): string | undefined {
  const versions = asList(list?.data) ?? [];
  return versions.length === 1 ? asText(asObject(versions[0])?.id) : undefined;
}
