import { compareText } from '@platform-sync/core/model/address';
import { canonicalJson, sha256 } from '@platform-sync/core/model/canonical';
import { nearest } from '@platform-sync/core/model/nearest';
import { ProviderError, type ProviderErrorKind, type RemoteObject } from '@platform-sync/core/model/provider';
import { isWholeInLists, type ResourceType } from '@platform-sync/core/model/resource-type';
import type { Json, JsonObject } from '@platform-sync/core/model/value';
import type { Reads } from './reads/reads.js';
import { withoutSecrets } from '@platform-sync/core/value/secret-parts';
import {
  type HowMany,
  isListed,
  matcher,
  mustBe,
  nameOf,
  ruledToken,
  shownFields,
} from '@platform-sync/core/lookups/by-rule';

/** Objects named in a message. */
const mostNamed = 10;

interface Question {
  readonly type: ResourceType;
  readonly many: HowMany;
  /** As the lookup that follows from the type takes them, checked. */
  readonly args: JsonObject;
}

/**
 * Objects of a type by what people know of them: the one, or all. Lists are read to their end and matched here, so that one
 * match is known to be the only one. Rejects with ProviderError when one is asked for and none or several match.
 */
export async function findObjects(question: Question, reads: Reads): Promise<JsonObject> {
  const { type, many, args } = question;
  const scope = Object.fromEntries(type.collection.scope.map((field) => [field, String(args[field])]));
  if (!isListed(type)) return recordOf(type, 'one', await readById(question, scope, reads));
  const objects = await reads.having(type, scope, mustBe(args));
  const found = objects.filter(matcher(type, args));
  if (many === 'all') {
    const datas = sorted(type, found).map((object) => recordOf(type, many, object));
    return { datas, id: sha256(`${ruledToken(type.token, many)} ${canonicalJson(args)}`).slice(0, 32) };
  }
  const [only, ...others] = found;
  if (only === undefined) throw nothingFound(question, objects);
  if (others.length > 0) throw severalFound(question, sorted(type, found));
  return recordOf(type, many, await inFull(type, only, reads));
}

async function readById(
  { type, many, args }: Question,
  scope: Readonly<Record<string, string>>,
  reads: Reads,
): Promise<RemoteObject> {
  const id = String(args['name']);
  const object = await reads.read(type, { id, scope });
  if (object === undefined) throw nothingFound({ type, many, args }, []);
  return object;
}

/** Lists may leave fields out. */
async function inFull(type: ResourceType, object: RemoteObject, reads: Reads): Promise<RemoteObject> {
  if (isWholeInLists(type)) return object;
  return (await reads.read(type, object.identity)) ?? object;
}

function recordOf(type: ResourceType, many: HowMany, { identity, values }: RemoteObject): JsonObject {
  const all: JsonObject = { ...identity.scope, ...values };
  const shown = shownFields(type, many).flatMap((rule): readonly (readonly [string, Json])[] => {
    const value = all[rule.name];
    return value === undefined ? [] : [[rule.name, withoutSecrets(rule, value)]];
  });
  return { id: identity.id, ...Object.fromEntries(shown) };
}

/** Lists come in any order; an answer that is the same is the same text. */
function sorted(type: ResourceType, objects: readonly RemoteObject[]): readonly RemoteObject[] {
  return objects
    .map((object) => ({ object, name: nameOf(type, object) }))
    .sort((a, b) => compareText(a.name, b.name) || compareText(a.object.identity.id, b.object.identity.id))
    .map(({ object }) => object);
}

function nothingFound({ type, args }: Question, there: readonly RemoteObject[]): ProviderError {
  const names = [...new Set(there.map((object) => nameOf(type, object)))].sort(compareText);
  const { name = null } = args;
  const near = typeof name === 'string' ? nearest(name, names) : undefined;
  const some = names.slice(0, mostNamed).join(', ');
  const hint =
    names.length === 0
      ? 'There are none at all in that place. Check the region (serverUrl) and what the token may see.'
      : `${near === undefined ? '' : `Did you mean ${near}? `}There are ${some}${names.length > mostNamed ? ' and more' : ''}.`;
  return failure('not-found', 'nothing-found', `There is no ${type.name} with ${described(args)}.`, { hint });
}

function severalFound({ type, args }: Question, found: readonly RemoteObject[]): ProviderError {
  const some = found.slice(0, mostNamed).map((object) => {
    const name = nameOf(type, object);
    return name === object.identity.id ? name : `${name} (${object.identity.id})`;
  });
  const detail = `They are ${some.join(', ')}${found.length > mostNamed ? ' and more' : ''}.`;
  const summary = `There are ${found.length} objects of the type ${type.name} with ${described(args)}.`;
  return failure('invalid', 'several-found', summary, {
    detail,
    hint: 'Say more in the filter, or name one by its id.',
  });
}

function failure(
  kind: ProviderErrorKind,
  code: string,
  summary: string,
  more: { readonly detail?: string; readonly hint: string },
): ProviderError {
  return new ProviderError(kind, [{ severity: 'error', code, summary, ...more }]);
}

/** The question in words: `name "dev" in controlPlaneId "8a1c…"`. */
function described(args: JsonObject): string {
  const { filter = null, ...others } = args;
  const parts = Object.entries(others).map(([name, value]) => `${name} ${JSON.stringify(value)}`);
  const all = filter === null ? parts : [...parts, `filter ${JSON.stringify(filter)}`];
  return all.length === 0 ? 'no filter' : all.join(' and ');
}
