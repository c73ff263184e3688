import {
  type CallOptions,
  ProviderError,
  type ReadWriteOnlyOptions,
  type UpdateRequest,
} from '@platform-sync/core/model/provider';
import type { Identity } from '@platform-sync/core/model/state';
import type { JsonObject } from '@platform-sync/core/model/value';
import { asObject, asText, BadAnswer } from '@platform-sync/rest/http/json';
import { pathOf } from '@platform-sync/rest/path';
import type { Session } from '@platform-sync/rest/session';
import { ownVersion, shownVersion } from './own-version.js';

/**
 * The specification an API was created with. It is never answered by the API itself; it lives on as a version below
 * it. `{}` when no version can be told to be its own, or the token may not see versions; null when there is none any more.
 */
export async function readSpecification(
  session: Session,
  identity: Identity,
  options: ReadWriteOnlyOptions,
): Promise<JsonObject> {
  try {
    const own = await shownVersion(session, identity, options);
    if (own === undefined) return options.known === undefined ? {} : { specContent: null };
    const { known: _, ...call } = options;
    const path = pathOf('/v3/apis/{id}/versions/{version}', { id: identity.id, version: own });
    const version = await session.get({ path, ...call }, (body) => asObject(body) ?? new BadAnswer('no object'));
    const content = asText(asObject(version.spec)?.content);
    if (content !== undefined) return { specContent: content };
    return options.known === undefined ? {} : { specContent: null };
  } catch (error) {
    if (error instanceof ProviderError && (error.kind === 'forbidden' || error.kind === 'not-found')) return {};
    throw error;
  }
}

/** Puts an API's specification right where it lives on: in its version, or as a new one where that is gone. */
export async function writeSpecification(
  session: Session,
  { identity, set, actual, recorded }: UpdateRequest,
  options: CallOptions,
): Promise<void> {
  const { specContent } = set;
  if (typeof specContent !== 'string') return;
  const { id } = identity;
  const known = { now: actual, before: { ...actual, ...recorded, specContent } };
  const version = await ownVersion(session, identity, known, options);
  const body = { spec: { content: specContent } };
  const fieldOf = (): string => 'specContent';
  await session.call(
    version === undefined
      ? { method: 'POST', path: pathOf('/v3/apis/{id}/versions', { id }), body, fieldOf, ...options }
      : {
          method: 'PATCH',
          path: pathOf('/v3/apis/{id}/versions/{version}', { id, version }),
          body,
          fieldOf,
          ...options,
        },
  );
}
