import type { CallOptions, UpdateRequest } from '@platform-sync/core/model/provider';
import { pathOf } from '@platform-sync/rest/path';
import type { Session } from '@platform-sync/rest/session';
import { ownVersion } from './own-version.js';

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
