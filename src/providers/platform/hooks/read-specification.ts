import type { CallOptions } from '../../../engine/model/provider.js';
import { ProviderError } from '../../../engine/model/provider.js';
import type { Identity } from '../../../engine/model/state.js';
import type { JsonObject } from '../../../engine/model/value.js';
import { asObject, asText } from '../../http/json.js';
import { idOf, readPage } from '../../http/paging.js';
import { Wrong } from '../../http/wrong.js';
import { pathOf } from '../../rest/path.js';
import type { Session } from '../../rest/session.js';
import { pageQuery } from '../page-query.js';
import { lookupPageShape } from '../wire.js';

/**
 * The specification an API was created with. It is never answered by the API itself; it lives on as a version below
 * it. `{}` when no version can be told to be the current one, or the token may not see versions.
 */
export async function readSpecification(
  session: Session,
  identity: Identity,
  options: CallOptions,
): Promise<JsonObject> {
  const get = (path: string): Promise<JsonObject> =>
    session.get({ path, ...options }, (body) => asObject(body) ?? new Wrong('no object'));
  const apiPath = pathOf('/v3/apis/{id}', { id: identity.id });
  try {
    const api = await get(apiPath);
    const summary = asObject(api.current_version_summary);
    const current = asText(summary?.id) ?? (await onlyVersion(session, `${apiPath}/versions`, options));
    if (current === undefined) return {};
    const version = await get(pathOf('/v3/apis/{id}/versions/{version}', { id: identity.id, version: current }));
    const content = asText(asObject(version.spec)?.content);
    return content === undefined ? {} : { specContent: content };
  } catch (error) {
    if (error instanceof ProviderError && (error.kind === 'forbidden' || error.kind === 'not-found')) return {};
    throw error;
  }
}

async function onlyVersion(session: Session, path: string, options: CallOptions): Promise<string | undefined> {
  const { items } = await session.list<JsonObject>(
    { path, ...options },
    {
      fetchPage: (number) =>
        session.get({ path, query: pageQuery(number), ...options }, (body) => readPage(body, lookupPageShape)),
      keyOf: (item) => idOf(item) ?? '',
      // That there are several is clear before the end.
      isEnough: (start) => start.items.length > 1,
    },
  );
  const [only, second] = items;
  return only === undefined || second !== undefined ? undefined : idOf(only);
}
