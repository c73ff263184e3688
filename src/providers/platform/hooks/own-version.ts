import { memberRange } from '@platform-sync/core/model/read-json';
import type { CallOptions, ReadWriteOnlyOptions } from '@platform-sync/core/model/provider';
import type { Identity } from '@platform-sync/core/model/state';
import type { Json, JsonObject } from '@platform-sync/core/model/value';
import { asObject, asText, parseJson } from '@platform-sync/rest/http/json';
import { idOf, readPage } from '@platform-sync/rest/http/page';
import { BadAnswer } from '@platform-sync/rest/http/bad-answer';
import { pathOf } from '@platform-sync/rest/path';
import type { Session } from '@platform-sync/rest/session';
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

/**
 * The version an API specification states in its `info`, JSON or YAML. Reads the few lines it needs rather than the
 * whole: a miss means that an API is looked for by its name alone.
 */
export function specificationVersion(text: string): string | undefined {
  const range = /^\s*\{/.test(text) ? memberRange(text, 'info') : undefined;
  const info = range === undefined ? undefined : asObject(parseJson(text.slice(range.start, range.end)));
  if (info !== undefined) return asText(info.version);
  let inInfo = false;
  for (const line of text.split('\n')) {
    if (/^\S/.test(line) && !line.startsWith('#')) inInfo = /^["']?info["']?:/.test(line);
    const found = inInfo ? stated.exec(line) : null;
    if (found !== null) return found[1] ?? found[2] ?? found[3];
  }
  return undefined;
}

/** On a line of its own, or among others in braces. */
const stated = /^(?:\s+|["']?info["']?:\s*\{(?:.*[\s,{])?)["']?version["']?:\s*(?:"([^"]*)"|'([^']*)'|([^#\s,}]+))/;
