import type { Json, JsonObject } from './value.js';
import type { Address } from './address.js';
import type { PlanMeta } from './plan.js';

/** A kind of proof that an object does not exist. */
export type AbsenceProof =
  /** A 404 in the platform's own words. */
  | 'problem-404'
  /** A 404 without a body. */
  | 'empty-404';

/** How two values of a field are compared (`src/engine/core/value/equality.ts`). */
export type Equality =
  /** By JSON value. */
  | 'exact'
  /** Text, trailing white space aside. */
  | 'text'
  /** Text of a document in JSON or YAML, by JSON value; what is neither, by its text. */
  | 'document'
  /** List without order or duplicates. */
  | 'set'
  /** Map of scalars; a key with null counts as absent. */
  | 'map'
  /** Map of lists, or the JSON text of one; lists without order, null or empty counts as absent. */
  | 'multisets'
  /** Record of which a file may say a part: other members are as the platform has them; a null one counts as absent. */
  | 'record'
  /** Object or JSON text, by JSON value; null members count as absent. */
  | 'json'
  /** Access policy, as an object or JSON text: who has which role under which condition, in any order and grouping. */
  | 'policy';

/** What to send when the file no longer mentions a field it used to declare. */
export type Clearing =
  /** `null` on the wire. */
  | { readonly by: 'null' }
  /** An explicit default. */
  | { readonly by: 'value'; readonly value: Json }
  /** The value another field makes, as the platform would at create: see `ResourceType.derive`. */
  | { readonly by: 'derived' }
  /** The platform has no way; the plan warns. `why` is a clause for that warning. */
  | { readonly by: 'nothing'; readonly why: string };

/** Everything the planner needs to know about one field. */
export interface FieldRule {
  /** Catalogue (schema) name, camelCase. */
  readonly name: string;
  readonly type: 'string' | 'number' | 'boolean' | 'array' | 'object';
  readonly description: string;
  /** May stand in a catalogue. */
  readonly input: boolean;
  /** Must stand in a catalogue. */
  readonly required: boolean;
  /** Set by the platform only. */
  readonly computed: boolean;
  /** In every answer. */
  readonly alwaysReturned: boolean;
  /** `replace-if-declared`: replaces when the file's value changes, not when the file falls silent. */
  readonly onChange: 'update' | 'replace' | 'replace-if-declared';
  readonly equality: Equality;
  /** Accepted, never answered by the object itself: unless something else shows it (`movesWith`), drift is invisible, and the
   * recorded input stands in for the actual value. */
  readonly writeOnly: boolean;
  /** Carried by list answers. */
  readonly inList: boolean;
  readonly clearing: Clearing;
  /** A declared null is a value with a meaning of its own; a cleared field is left out then, and the platform chooses. */
  readonly nullIsValue?: boolean;
  /** Of a map: beginnings of keys that belong to others (another tool's marks). Never removed, exported or drift. */
  readonly foreignKeys?: readonly string[];
  /** Of a map: keys that neither file nor record hold are ours, too (`labels: exact`). Default: single keys are. */
  readonly ownsAllKeys?: boolean;
  /** Of a record: paths of the members that say of which kind it is, or one inside of it. Of another kind nothing is kept. */
  readonly kindMembers?: readonly string[];
  /** Of a record: paths of the members that are sent and that no answer shows; `*` is every key of a map. They count as last sent. */
  readonly hiddenMembers?: readonly string[];
  /** Of a record: what an update takes of it, where a create takes more. */
  readonly updatesOnly?: UpdateLimits;
  /** Never changes during an object's life; references to it stay known while the object is updated. */
  readonly stable: boolean;
  /** The whole of it is a secret. */
  readonly secret: boolean;
  /** Of a record: paths of the members that are secrets; the others are shown. `*` is every key of a map, `**` every text inside. */
  readonly secretMembers?: readonly string[];
  readonly deprecated?: string;
  /** The ownership mark: this tool writes it, no catalogue holds it, and it is no drift. */
  readonly isMark?: true;
  /** Allowed values. */
  readonly enum?: readonly Json[];
  /** The type whose id this field holds, if it holds one. */
  readonly references?: string;
  /** The platform keeps it as an object of this type, in a field of the same name, below the object. */
  readonly keptAs?: string;
  /** Output that moves whenever others may have changed what this field holds: only then is it looked for where it is kept. */
  readonly movesWith?: string;
  /** JSON Schema (2020-12) of a legal catalogue value: the field's type plus the platform's limits. */
  readonly schema: JsonObject;
}

/** What only a create takes of a record; paths go through lists, and `*` is every key of a map. */
export interface UpdateLimits {
  /** Path of a member that says of which kind it is → the kinds that an update takes: from and to any other it is replaced. */
  readonly kinds?: Readonly<Record<string, readonly string[]>>;
  /** Paths of the members that no update takes: a change of them replaces, and updates leave them out. */
  readonly fixed?: readonly string[];
}

/** True for what catalogues may hold, and for the mark: the fields that are compared and written. */
export function isWritten({ input, isMark }: FieldRule): boolean {
  return input || isMark === true;
}

/** The platform sets it, and every object has it: what no answer has shown so far is not known. */
export function isAlwaysSet(rule: Pick<FieldRule, 'input' | 'alwaysReturned'> | undefined): boolean {
  return rule?.input === false && rule.alwaysReturned;
}

/** In paths of secret members: every text, however deep. What nothing is known of has no numbers to hide. */
export const anyText = '**';

/** True for a field that is a secret, or has one in it. */
export function mayHoldSecret(rule: Pick<FieldRule, 'secret' | 'secretMembers'> | undefined): boolean {
  return rule?.secret === true || rule?.secretMembers !== undefined;
}

/** What answers show and lists don't. */
const leftOut = fieldsWhere((rule) => !rule.inList && !rule.writeOnly);

/** Lists show all that can be read of such an object. */
export function isWholeInLists(type: Pick<ResourceType, 'fields'>): boolean {
  return leftOut(type).length === 0;
}

/**
 * Lists that leave fields out are enough while the object's revision is the one of the recorded answer. Of what somebody had changed by then
 * the record has none: a list that shows it as recorded may be older.
 */
export function isAskedAlone(type: ResourceType, recorded: JsonObject, shown: JsonObject): boolean {
  const name = type.revision ?? '';
  const [known, revision] = [recorded[name], shown[name]];
  if (revision === undefined || revision === known) return false;
  return known === undefined || !isWholeInLists(type);
}

/** As which child a type may be written under another. */
export interface Nesting {
  /** Type token of the resource above. */
  readonly under: string;
  /** Field that gets `${above.id}`. */
  readonly field: string;
  /** Fields copied from the resource above (a document under a document inherits `apiId`). */
  readonly inherits: readonly string[];
}

/** How objects of a type are read together. */
interface CollectionRule {
  /** Fields that select one collection (`apiId` for documents); empty = one collection for all. */
  readonly scope: readonly string[];
  /** False: one answer carries everything. */
  readonly paged: boolean;
  /** Fields by whose values the service narrows the list. */
  readonly narrowedBy?: readonly string[];
  /** False: nothing lists these objects; each is asked for by itself, and exports leave them out unless told to try. */
  readonly listed?: false;
  /** Field of the object above that shows one of the collection: its `id`, and fields that lists carry. */
  readonly shownIn?: string;
  /** Field of the object above that names the ids of all of the collection. */
  readonly idsIn?: string;
}

/** An answer of the service that says that an object does not exist. */
export interface AbsentAnswer {
  readonly status: 404 | 410;
  /** Members that it has, at any depth; `*` in a text stands for anything. Left out: it has no body. */
  readonly body?: JsonObject;
}

/** How it shows that one object does not exist. */
export type AbsenceRule =
  /** Reading it answers so. */
  | AbsenceProof
  /** Reading it answers 404 with what this says, and nothing else does. */
  | AbsentAnswer
  /** Reading it answers 404, whoever says so, and the whole list that is asked for then lacks it, too. */
  | 'unlisted-404'
  /** It can't be read alone: two complete lists one after the other lack it, and what it lives in exists. */
  | 'two-lists'
  /** Reading it shows that it holds nothing: what it is of exists for ever, and so does its place. */
  | 'empty';

/**
 * How many whole lists, one after the other, must lack an object before its absence is believed. Who reads one object asks for the
 * list of a single witness itself; where two are needed, no object can be read, and the refresh asks for both.
 */
export function listsThatMustLack(absence: AbsenceRule | undefined): 0 | 1 | 2 {
  if (absence === 'two-lists') return 2;
  return absence === 'unlisted-404' ? 1 : 0;
}

/** A field that decides who sees an object. */
export interface VisibilityRule {
  readonly field: string;
  /** The values that show it to the public and hide it; left out where the field holds who may see it. */
  readonly values?: { readonly shown: Json; readonly hidden: Json };
  /** What a reviewer is told, in place of "becomes visible on the live portal" and "disappears from the live portal". */
  readonly says?: ExposureWords;
  /** Another field of the object, and the value of it without which nobody sees the object anyway. */
  readonly where?: { readonly field: string; readonly is: Json };
  /** It decides who sees what is in the object, not who sees the object. */
  readonly contents?: true;
  /** Nobody sees the object while what it lives in is published nowhere. */
  readonly published?: true;
}

/** Clauses of what begins and what ends: `only developers who have signed in see it`. */
export interface ExposureWords {
  readonly shown: string;
  readonly hidden: string;
}

/** An output list whose entries end with the object. */
interface LossRule {
  readonly field: string;
  /** Members of an entry that name it to people; the first that is there counts. */
  readonly named: readonly string[];
}

/** The id `sync adopt` takes. */
export type ImportIdRule =
  | { readonly form: 'plain' }
  /** A JSON object: wire key → field (`api_id` → `apiId`, `id` → `id`). */
  | { readonly form: 'json'; readonly keys: Readonly<Record<string, string>> }
  /** A text with `{id}` and fields of the object's place in braces (`services/{serviceName}/{id}`). Where `{id}` is not
   * among them, the last one is the id as well; a text
   * without any is the id of the only object of its type. */
  | { readonly form: 'text'; readonly template: string };

/** How a file becomes an object of a type, where a folder of files is a source of resources. */
export interface FileRule {
  /** A specification of an API (YAML or JSON), or a page of Markdown with front matter. */
  readonly format: 'specification' | 'markdown';
  /** Field with the text; where it is kept as an object of its own (`keptAs`), that one is made below, and has it. */
  readonly body: string;
  /** Field → JSON pointer into the specification, or the key of the front matter. */
  readonly fields: Readonly<Record<string, string>>;
  /** Field that has the file's name where a page does not say it. */
  readonly named?: string;
}

/** What the platform may be forced to. */
export type Forcible = 'delete' | 'update';

/** A resource type, made of its definition. Rules as data, no behaviour but `derive`. */
export interface ResourceType {
  /** `platform:index/apiDocument:ApiDocument` */
  readonly token: string;
  /** `platform:ApiDocument` */
  readonly shortToken: string;
  /** `ApiDocument` */
  readonly name: string;
  /** `platform` */
  readonly provider: string;
  readonly description: string;
  /** By name, in schema order. Every resource has an `id`; it is among them where a file may say which. */
  readonly fields: Readonly<Record<string, FieldRule>>;
  /** Field and type of the object this one lives in; part of the platform's path. Such a field always replaces. */
  readonly parent?: { readonly field: string; readonly type: string };
  readonly nesting: readonly Nesting[];
  /** Fields that together identify an object to people, inside its collection. */
  readonly naturalKey: readonly string[];
  /** Field groups the platform refuses twice. Decide delete-first replacement and order between steps. */
  readonly unique: readonly (readonly string[])[];
  /** Groups of fields of which exactly one must be declared. */
  readonly exactlyOne: readonly (readonly string[])[];
  /** JSON Schema of what the fields of an object of one kind must be beyond those of all. */
  readonly kinds?: readonly JsonObject[];
  /** One of a fixed set: with these values, by field, it is as the platform has it at first, and counts as not there. */
  readonly untouched?: JsonObject;
  /** Field that takes the resource's own key when left out. */
  readonly nameField?: string;
  readonly collection: CollectionRule;
  /** Left out: an object of this type is never taken to be gone. */
  readonly absence?: AbsenceRule;
  /** Field that has another value after every change of the object. */
  readonly revision?: string;
  /** Field with the time at which the object was made (RFC 3339). */
  readonly creation?: string;
  /** Field with a text that people know the object by, where that is not `nameField`. */
  readonly label?: string;
  /** A map of texts in which an ownership mark may stand; left out: objects of this type bear none. */
  readonly markedIn?: string;
  readonly visibility: readonly VisibilityRule[];
  /** That an object of this type is there shows something: what begins when it is made, and what ends with it. */
  readonly presence?: Partial<ExposureWords>;
  /** The platform refuses to end an object that others use: one that is replaced ends after its successor is made and used. */
  readonly createFirst?: true;
  readonly importId: ImportIdRule;
  /** Deleting or replacing one takes a guard's lifting, protected or not; a clause that says what would be lost. */
  readonly guardedEnd?: string;
  /** Types the platform deletes together with this one. */
  readonly cascades: readonly string[];
  /** Types whose objects live in one of this type, by their path or because they end with it. */
  readonly contents: readonly string[];
  /** Output lists whose entries end with the object (the portals an API is published to). */
  readonly losses: readonly LossRule[];
  /** No call makes a second one in its place, and none ends it: these fields are put back at its end, or all of it. */
  readonly endless?: { readonly putsBack: readonly string[] | 'all' };
  /** Left out: no file stands for an object of this type. */
  readonly file?: FileRule;
  /** False: there is no update call; every change replaces. */
  readonly updatable: boolean;
  /** An update takes the place of the whole object: it is read directly before. */
  readonly isWrittenWhole?: true;
  /** What the platform would refuse for the sake of what hangs on an object, and can be told to do all the same. */
  readonly forcible?: readonly Forcible[];
  /** Types in the same place that come first: an object is written after theirs, and ends before them. */
  readonly follows?: readonly string[];
  /** Made by rules out of a description. */
  readonly derived?: true;
  /** Of a derived one: facts of its own, and tests that change each field, stand behind what rules made of it. */
  readonly proven?: true;
  /** Secrets that are answered when an object is made and never again; nothing of them is kept. */
  readonly shownOnce?: readonly string[];
  /** The values the platform would choose at create for fields the inputs leave out (slugs), as far as known. */
  readonly derive: (inputs: JsonObject) => JsonObject;
  /** Values the platform may choose for key fields the inputs leave out: such an object counts as having the key, too. */
  readonly alsoNamed: (inputs: JsonObject) => JsonObject;
}

/** `platform:index/api:Api` belongs to the package `platform`. */
export function packageNameOf(token: string): string {
  return token.slice(0, token.indexOf(':'));
}

/** True for settings that each place has one of, from the beginning to its end: nobody makes them, and none are in the way. */
export function isAlwaysThere({
  absence,
  collection,
  endless,
}: Pick<ResourceType, 'absence' | 'collection' | 'endless'>): boolean {
  return collection.listed === false && (absence === undefined || endless !== undefined);
}

/** True for settings of which no call takes back anything that the file set: they are forgotten, and stay in force. */
export function staysInForce({ endless }: Pick<ResourceType, 'endless'>, inputs: JsonObject): boolean {
  if (endless === undefined || endless.putsBack === 'all') return false;
  return !endless.putsBack.some((name) => name in inputs);
}

/** Groups of fields of which no two objects share the values. A derived type's natural key is a guess, and none of them. */
export function keysOf(type: ResourceType): readonly (readonly string[])[] {
  let found = keyGroups.get(type);
  if (found === undefined) keyGroups.set(type, (found = newKeyGroups(type)));
  return found;
}

/** Each type is looked at once, and has thousands of resources. */
const keyGroups = new WeakMap<ResourceType, readonly (readonly string[])[]>();

function newKeyGroups({ naturalKey, unique, derived }: ResourceType): readonly (readonly string[])[] {
  const groups = [...(derived === true ? [] : [naturalKey]), ...unique];
  return [...new Map(groups.map((group) => [[...group].sort().join(' '), group])).values()].filter(
    (group) => group.length > 0,
  );
}

/** The rules among a type's fields for which a test holds; likewise. */
export function fieldsWhere(
  test: (rule: FieldRule) => boolean,
): (type: { readonly fields: Readonly<Record<string, FieldRule>> }) => readonly FieldRule[] {
  const known = new WeakMap<object, readonly FieldRule[]>();
  return ({ fields }) => {
    let found = known.get(fields);
    if (found === undefined) known.set(fields, (found = Object.values(fields).filter(test)));
    return found;
  };
}

/** Resources of which a field is given by another file, by the `sources` of a plan that was made here. */
const elsewhere = new WeakMap<PlanMeta['sources'], ReadonlySet<Address>>();

export function keepFieldsElsewhere(sources: PlanMeta['sources'], addresses: ReadonlySet<Address>): void {
  elsewhere.set(sources, addresses);
}

/** True where all fields are given by the file that has the resource: told without their places. False says nothing. */
export function isInOneFile({ sources }: Pick<PlanMeta, 'sources'>, address: Address): boolean {
  return elsewhere.get(sources)?.has(address) === false;
}

/** Beside `enum`: what it lists is what this release knows. Nothing is refused for being another text. */
export const openMark = 'x-open';

/** What the schema of a value lists, where other values may be as good; undefined where it lists none, or all. */
export function openChoices(schema: JsonObject): readonly string[] | undefined {
  const values = schema['enum'];
  return schema[openMark] === true && Array.isArray(values) ? values.map(String) : undefined;
}

/** The schema without what it only seems to limit. */
export function withoutOpenChoices(schema: JsonObject): JsonObject {
  const { enum: _values, [openMark]: isOpen, ...others } = schema;
  return isOpen === true ? others : schema;
}

/** The last part of a token: `Api` of `platform:index/api:Api`. */
export function memberName(token: string): string {
  return token.slice(token.lastIndexOf(':') + 1);
}

/** The token people write: `platform:Api`, or `cloud:endpoints:getServiceIamPolicy` outside the module `index`. */
export function shortToken(token: string): string {
  const [provider = '', modulePath = ''] = token.split(':');
  const module = modulePath.split('/')[0];
  return module === 'index' ? `${provider}:${memberName(token)}` : `${provider}:${module}:${memberName(token)}`;
}

/** Whose token a header carries, where the token is a JSON Web Token and says it. Nobody has checked that: it is for people. */
export function tokenSubject(header: string): string | undefined {
  const [, claims] = /^(?:bearer\s+)?[\w-]+\.([\w-]+)\.[\w-]*$/i.exec(header.trim()) ?? [];
  if (claims === undefined) return undefined;
  try {
    const said: unknown = JSON.parse(Buffer.from(claims, 'base64url').toString('utf8'));
    const subject = typeof said === 'object' && said !== null && 'sub' in said ? said.sub : undefined;
    return typeof subject === 'string' && /^[\x20-\x7e]{1,200}$/.test(subject) ? subject : undefined;
  } catch {
    return undefined;
  }
}
