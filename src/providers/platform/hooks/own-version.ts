import type { CallOptions, ReadWriteOnlyOptions } from '@platform-sync/core/model/provider';
import type { Identity } from '@platform-sync/core/model/state';
import type { Json, JsonObject } from '@platform-sync/core/model/value';
import { asObject, asText, BadAnswer } from '@platform-sync/rest/http/json';
import { idOf, readPage } from '@platform-sync/rest/http/page';
import { pathOf } from '@platform-sync/rest/path';
import type { Session } from '@platform-sync/rest/session';
import { specificationVersion } from './plan-hooks.js';
import { pageQuery } from '../page-query.js';
import { lookupPageShape } from '../wire.js';

/** What is known of an API: as just read, and as recorded. */
type KnownApi = NonNullable<ReadWriteOnlyOptions['known']>;

/** Id of the version that shows an API's specification; undefined: there is none, or none can be told. */
export async function shownVersion(
  session: Session,
  identity: Identity,
  { known, ...options }: ReadWriteOnlyOptions,
): Promise<string | undefined> {
  if (known !== undefined) {
    // An API whose summary is empty has no version at all.
    if (asObject(known.now.currentVersionSummary) === undefined) return undefined;
    return (await ownVersion(session, identity, known, options)) ?? only(await versions(session, identity, options));
  }
  const current = asObject(await summaryOf(session, identity, options));
  return asText(current?.id) ?? only(await versions(session, identity, options));
}

/** Id of the version that an API's `specContent` lives on as: the one of its name, else the one that was of its name before. */
export async function ownVersion(
  session: Session,
  identity: Identity,
  { now, before }: KnownApi,
  options: CallOptions,
): Promise<string | undefined> {
  const name = nameOf(before);
  const [current, recorded] = [asObject(now.currentVersionSummary), asObject(before.currentVersionSummary)];
  if (asText(current?.version) === name) return asText(current?.id);
  const was = asText(recorded?.version) === name ? asText(recorded?.id) : undefined;
  if (was !== undefined && was === asText(current?.id)) return was;
  const isNamed = (item: JsonObject): boolean => asText(item.version) === name;
  const items = await versions(session, identity, options, isNamed);
  return idOf(items.find(isNamed) ?? items.find((item) => idOf(item) === was) ?? {});
}

/** What the platform calls the version that a `specContent` becomes. */
function nameOf({ specContent, version }: JsonObject): string | undefined {
  const own = typeof specContent === 'string' ? specificationVersion(specContent) : undefined;
  return own ?? asText(version);
}

async function summaryOf(session: Session, { id }: Identity, options: CallOptions): Promise<Json | undefined> {
  const path = pathOf('/v3/apis/{id}', { id });
  const api = await session.get({ path, ...options }, (body) => asObject(body) ?? new BadAnswer('no object'));
  return api.current_version_summary;
}

/** Versions without their content, all of them or until one is what is looked for. */
async function versions(
  session: Session,
  identity: Identity,
  options: CallOptions,
  isMeant: (item: JsonObject) => boolean = () => false,
): Promise<readonly JsonObject[]> {
  const path = pathOf('/v3/apis/{id}/versions', { id: identity.id });
  const { items } = await session.list<JsonObject>(
    { path, ...options },
    {
      fetchPage: (number) =>
        session.get({ path, query: pageQuery(number), ...options }, (body) => readPage(body, lookupPageShape)),
      keyOf: (item) => idOf(item) ?? '',
      isEnough: (start) => start.items.some(isMeant),
    },
  );
  return items;
}

function only([first, second]: readonly JsonObject[]): string | undefined {
  return first === undefined || second !== undefined ? undefined : idOf(first);
}
