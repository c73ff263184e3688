import { defined, emptyRecord, type Json, type JsonObject, ownMember } from '../model/value.js';
import { ProviderError } from '../model/provider.js';
import type { FieldRule, ResourceType } from '../model/resource-type.js';
import type { LookupCode } from '../generated/codes.js';

/** Finds the object above by its name; gives its id. */
type FindAbove = (type: string, args: JsonObject) => Promise<string>;

/**
 * Arguments that say where objects lie, from what people type, outermost first: `field=id` as it is, anything else the name of
 * the object above. Rejects with ProviderError when one is missing or there are too many.
 */
export async function placeArguments(
  type: ResourceType,
  parents: readonly string[],
  typeOf: (token: string) => ResourceType | undefined,
  find: FindAbove,
): Promise<JsonObject> {
  const fields = placeFields(type);
  const given = assigned(type, fields, parents);
  const place = emptyRecord<string>();
  for (const field of fields) {
    const said = given.get(field);
    if (said === undefined && !type.collection.scope.includes(field)) continue;
    if (said === undefined) throw missing(type, field);
    place[field] = said.isId ? said.text : await idOf(type, field, said.text, place, typeOf, find);
  }
  // What a list holds of all parents is told apart by its items.
  const [inPath, others] = [true, false].map((wanted) =>
    Object.fromEntries(Object.entries(place).filter(([name]) => type.collection.scope.includes(name) === wanted)),
  );
  return { ...inPath, ...(Object.keys(others ?? {}).length === 0 ? {} : { filter: others ?? {} }) };
}

/** The fields that hold what an object lives in, outermost first. */
function placeFields({ collection, parent }: ResourceType): readonly string[] {
  return [...new Set([...collection.scope, ...(parent === undefined ? [] : [parent.field])])];
}

interface Said {
  readonly text: string;
  readonly isId: boolean;
}

function assigned(
  type: ResourceType,
  fields: readonly string[],
  parents: readonly string[],
): ReadonlyMap<string, Said> {
  const found = new Map<string, Said>();
  for (const text of parents) {
    const [, named = '', id = ''] = /^(\w+)=(.+)$/s.exec(text) ?? [];
    const isId = fields.includes(named);
    const field = isId ? named : fields.find((each) => !found.has(each));
    if (field === undefined) throw tooMany(type, fields, text);
    found.set(field, { text: isId ? id : text, isId });
  }
  return found;
}

async function idOf(
  type: ResourceType,
  field: string,
  name: string,
  place: Readonly<Record<string, string>>,
  typeOf: (token: string) => ResourceType | undefined,
  find: FindAbove,
): Promise<string> {
  const token = type.fields[field]?.references ?? (type.parent?.field === field ? type.parent.type : undefined);
  const above = token === undefined ? undefined : typeOf(token);
  if (above === undefined) return name;
  const around = above.collection.scope.map((each) => [each, ownMember(place, each) ?? ''] as const);
  return find(above.token, { ...Object.fromEntries(around), name });
}

function missing(type: ResourceType, field: string): ProviderError {
  const above = type.fields[field]?.references?.replace(/^.*:/, '');
  return refused('parent-missing', `Objects of the type ${type.name} are listed by ${field}, which is not given.`, {
    hint: `Say which:\n--parent ${above === undefined ? 'ID' : 'NAME'}\n--parent ${field}=ID`,
  });
}

function tooMany(type: ResourceType, fields: readonly string[], text: string): ProviderError {
  const live = fields.length === 0 ? 'live in nothing else' : `live in ${fields.join(' and ')} only`;
  return refused('parent-unknown', `--parent ${text} is one too many: objects of the type ${type.name} ${live}.`);
}

export function refused(
  code: LookupCode,
  summary: string,
  more: { readonly hint?: string | undefined } = {},
): ProviderError {
  return new ProviderError('invalid', [{ severity: 'error', code, summary, ...defined({ hint: more.hint }) }]);
}

/** `port=80`, `name.contains=pay` → the filter of a lookup, values of the kind that the field has. Rejects with ProviderError. */
export function filterOf(type: ResourceType, words: readonly string[]): JsonObject {
  const filter = new Map<string, Json>();
  for (const word of words) {
    const [, field = '', operator, text = ''] = /^(\w+)(?:\.(\w+))?=(.*)$/s.exec(word) ?? [];
    if (field === '')
      throw refused('bad-question', `"${word}" is not a filter.`, {
        hint: 'Filters look like: name=orders, name.contains=ord, port=80.',
      });
    if (filter.has(field)) throw refused('bad-question', `The filter on ${field} is given twice.`);
    const rule = Object.hasOwn(type.fields, field) ? type.fields[field] : undefined;
    filter.set(field, operator === undefined ? valueFor(rule, text) : { [operator]: text });
  }
  return Object.fromEntries(filter);
}

function valueFor(rule: FieldRule | undefined, text: string): Json {
  if (rule?.type === 'boolean' && (text === 'true' || text === 'false')) return text === 'true';
  return rule?.type === 'number' && text.trim() !== '' && Number.isFinite(Number(text)) ? Number(text) : text;
}
