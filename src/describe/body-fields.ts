import { isList, isObject, type Json, type JsonObject } from '@platform-sync/core/model/value';
import type { FieldDefinition, FieldType } from '@platform-sync/rest/definition';
import { updatesOnly } from '@platform-sync/rest/marked-members';
import type { Description } from './description.js';
import type { FieldContext } from './field-context.js';
import { fieldRows } from './field-contents.js';
import { closedChoice } from './field-type.js';
import { isNullable } from './limits.js';
import { itemsAt } from './list-rule.js';
import { branchesOf, kindOf, merged, valuesOf } from './merge.js';
import type { TypeSite } from './type-site.js';
import { camel, singular } from './words.js';

/** The rule that made a field what it is (the numbers are those of the guide). */
export type DecidedBy =
  | 'path parameter: part of the place'
  | 'create body takes the id: replaces where it is declared'
  | 'create body alone: replaces'
  | 'marked: replaces'
  | 'tells the branches of a union apart: replaces'
  | 'no update call: replaces'
  | 'create and update body'
  | 'update body takes less of it: what it leaves out replaces'
  | 'answers alone: output'
  | 'update body alone: output'
  | 'read-only: output'
  | 'time of the service: output'
  | 'correction';

/** One field, which rule decided, and whether people must declare it. */
export interface CompiledField {
  readonly name: string;
  readonly field: FieldDefinition;
  readonly isOutput: boolean;
  readonly isRequired: boolean;
  readonly isAlways: boolean;
  readonly rule: DecidedBy;
  /** Answers show it in a form that no rule knows how to read. */
  readonly unread?: Extract<Shown, { as: 'unread' }>;
}

/** Rules 2 to 6: the fields of bodies and answers. */
export function bodyFields(context: FieldContext): readonly CompiledField[] {
  const { description, site } = context;
  const bodyOf = (call: JsonObject | undefined): Json | undefined =>
    call === undefined ? undefined : description.bodyOf(call);
  const made = membersOf(description, bodyOf(site.calls.create));
  const changed = membersOf(description, bodyOf(site.calls.update));
  const shown = membersOf(description, answerOf(description, site));
  const inList = membersOf(
    description,
    site.calls.list === undefined ? undefined : itemOf(description, site.calls.list),
  );
  const listed = inList.members.size === 0 ? undefined : inList;
  const taken = new Set([...made.members.keys(), ...changed.members.keys()]);
  const answers = Object.fromEntries(shown.members);
  const sent = [...taken].map(
    (wire) =>
      [
        wire,
        shownOf(description, wire, merged(description, made.members.get(wire) ?? changed.members.get(wire)), answers),
      ] as const,
  );
  const there = new Map(sent);
  const elsewhere = new Set(
    sent.flatMap(([, how]) => (how.as === 'moved' && !how.path.includes('.') ? [how.path] : [])),
  );
  const names = [...new Set([...taken, ...[...shown.members.keys()].filter((wire) => !elsewhere.has(wire))])];
  return (
    names
      .filter((wire) => wire !== 'id' && wire !== context.fixed && wire !== context.named)
      // No create takes it, and no answer shows what became of it: a catalogue has nothing to say about it.
      .filter((wire) => shown.members.has(wire) || !isForChanges(wire, { made, changed }))
      .map((wire) =>
        compiledField(context, wire, { made, changed, shown, listed, how: there.get(wire) ?? { as: 'is' } }),
      )
  );
}

/** What one object looks like: as it is read, else as the create answers it, else as a list shows it. */
export function answerOf(description: Description, site: TypeSite): Json | undefined {
  const { calls } = site;
  const single = description.answerOf(calls.read ?? {}) ?? description.answerOf(calls.create ?? {});
  if (single === undefined) return calls.list === undefined ? undefined : itemOf(description, calls.list);
  const wrapping = wrapperOf(description, site);
  return wrapping === undefined
    ? single
    : (description.at(merged(description, single)['properties'])[wrapping] ?? single);
}

/** The member of an answer that holds the object: where the answer has nothing of the object itself, and one member has. */
export function wrapperOf(description: Description, { calls }: TypeSite): string | undefined {
  const sent = new Set([
    ...(calls.create === undefined ? [] : namesIn(description, description.bodyOf(calls.create))),
    'id',
  ]);
  return wrapperIn(description, calls.read ?? calls.create, sent) ?? wrapperIn(description, calls.create, sent);
}

function wrapperIn(
  description: Description,
  call: JsonObject | undefined,
  sent: ReadonlySet<string>,
): string | undefined {
  const members = description.at(merged(description, description.answerOf(call ?? {}))['properties']);
  if (Object.keys(members).some((name) => sent.has(name))) return undefined;
  const holding = Object.keys(members).filter((name) =>
    namesIn(description, members[name]).some((own) => sent.has(own)),
  );
  return holding.length === 1 ? holding[0] : undefined;
}

function namesIn(description: Description, schema: Json | undefined): readonly string[] {
  return Object.keys(description.at(merged(description, schema)['properties']));
}

/** What a list shows of one object. */
export function itemOf(description: Description, list: JsonObject): Json | undefined {
  const answer = merged(description, description.answerOf(list));
  const held = itemsAt(description, answer)?.reduce<JsonObject>(
    (at, name) => merged(description, description.at(at['properties'])[name]),
    answer,
  );
  return held?.['items'];
}

interface Bodies {
  readonly made: Members;
  readonly changed: Members;
  readonly shown: Members;
  /** What lists show; undefined where they show nothing in particular. */
  readonly listed: Members | undefined;
  /** How answers show what bodies take. */
  readonly how: Shown;
}

function compiledField(
  context: FieldContext,
  wire: string,
  { made, changed, shown, listed, how }: Bodies,
): CompiledField {
  const { description, site, by, fixed } = context;
  const { update } = site.calls;
  const schema = merged(description, made.members.get(wire) ?? changed.members.get(wire) ?? shown.members.get(wire));
  const isSent = made.members.has(wire) || changed.members.has(wire);
  const isReadOnly = schema['readOnly'] === true;
  // Its name in answers.
  const called = how.as === 'moved' ? (how.path.split('.')[0] ?? wire) : wire;
  const isLate = isForChanges(wire, { made, changed });
  const isTaken = isSent && !isReadOnly && !isLate;
  const there = { shown: shown.members.get(called), changed: changed.members.get(wire), isTaken };
  const { name, ...rows } = fieldRows(context, wire, schema, there);
  const isTime = /^(?:created|updated)At$/.test(name) && shown.members.has(called);
  const isOutput = !isTaken || isTime;
  const isMarked = schema['x-speakeasy-param-force-new'] === true;
  const isTelling = name === by;
  const { type } = rows;
  const replaces = !isOutput && (isMarked || isTelling || !changed.members.has(wire));
  const isUnread = how.as === 'unread' && !isReadOnly;
  const isMoved =
    !changed.members.has(wire) && isMovedByService(schema, merged(description, shown.members.get(called)));
  const isHidden = !isOutput && shown.members.size > 0 && (isUnread || isMoved || isUnseen(description, called, shown));
  const isEmpty = mayBeNull(description, called, shown, listed);
  const change = { schema: changed.members.get(wire), isRequired: changed.required.has(wire) };
  return {
    name,
    field: {
      ...rows,
      ...(isTelling && type !== undefined ? { type: closedChoice(type) } : {}),
      ...(isOutput && isOfSeveralKinds(description, [shown, listed, made], wire) ? { type: 'any' as const } : {}),
      ...(how.as === 'moved' && how.path !== rows.wire ? { shown: how.path } : {}),
      ...((how.as === 'spelled' || how.as === 'moved') && rows.as === undefined ? how.rows : {}),
      ...(replaces && update !== undefined ? { replaces: true as const } : {}),
      ...(!isOutput && update !== undefined && !changed.members.has(wire) ? { createOnly: true as const } : {}),
      ...(isHidden ? { writeOnly: true } : {}),
      ...(!isHidden && listed !== undefined && !isInList(called, shown, listed, fixed !== undefined || by !== undefined)
        ? { inList: false }
        : {}),
      ...(isOutput ? {} : clearedBy(context, rows, { ...change, isShownNull: isHidden || isEmpty })),
      ...(!isOutput && !isHidden && isEmpty ? { nullable: true } : {}),
    },
    isOutput,
    isRequired: !isOutput && made.required.has(wire),
    isAlways: !isUnread && !isMoved && shown.required.has(called) && shown.members.has(called),
    ...(isUnread && !isOutput ? { unread: how } : {}),
    rule: isOutput
      ? outputRule({ isReadOnly, isSent, isTime })
      : inputRule({ isFixed: update === undefined, isMarked, isTelling, replaces, type }),
  };
}

interface InputWay {
  /** Nothing updates it. */
  readonly isFixed: boolean;
  readonly isMarked: boolean;
  readonly isTelling: boolean;
  readonly replaces: boolean;
  readonly type: FieldDefinition['type'];
}

function inputRule({ isFixed, isMarked, isTelling, replaces, type = 'string' }: InputWay): DecidedBy {
  if (isFixed) return 'no update call: replaces';
  if (isMarked) return 'marked: replaces';
  if (isTelling) return 'tells the branches of a union apart: replaces';
  if (replaces) return 'create body alone: replaces';
  return updatesOnly(type) === undefined
    ? 'create and update body'
    : 'update body takes less of it: what it leaves out replaces';
}

function outputRule(way: {
  readonly isReadOnly: boolean;
  readonly isSent: boolean;
  readonly isTime: boolean;
}): DecidedBy {
  if (way.isReadOnly) return 'read-only: output';
  if (!way.isSent) return 'answers alone: output';
  return way.isTime ? 'time of the service: output' : 'update body alone: output';
}

/**
 * What every answer about one object has, and items of a list may lack, is not looked for there. A list of several types or kinds
 * says what they have in common.
 */
function isInList(wire: string, shown: Members, listed: Members, isShared: boolean): boolean {
  return listed.members.has(wire) && (isShared || listed.required.has(wire) || !shown.required.has(wire));
}

/** Answers of several calls may not agree on what a member is. */
function isOfSeveralKinds(description: Description, answers: readonly (Members | undefined)[], wire: string): boolean {
  const kinds = answers.flatMap((each) => kindOf(merged(description, each?.members.get(wire))) ?? []);
  return new Set(kinds).size > 1;
}

/**
 * Answers know values that no body takes, and only a create takes it: a state that goes on from the one that was sent. Compared, it would
 * replace the object.
 */
function isMovedByService({ enum: taken }: JsonObject, { enum: answered }: JsonObject): boolean {
  return isList(taken) && isList(answered) && answered.some((value) => !taken.includes(value));
}

/** Only an update takes it: declared, every create would be refused. */
function isForChanges(wire: string, { made, changed }: Pick<Bodies, 'made' | 'changed'>): boolean {
  return made.members.size > 0 && changed.members.has(wire) && !made.members.has(wire);
}

/** True where an answer may leave it out, or may hold null. */
function mayBeNull(description: Description, wire: string, shown: Members, listed: Members | undefined): boolean {
  const answered = [shown, listed].flatMap((each) => each?.members.get(wire) ?? []);
  return !shown.required.has(wire) || answered.some((schema) => isNullable(merged(description, schema)));
}

/** What bodies call write-only is seen all the same where the answer has it and does not call it so. */
function isUnseen(description: Description, wire: string, { members }: Members): boolean {
  return merged(description, members.get(wire))['writeOnly'] === true || !members.has(wire);
}

/** Where a known thing is made a member of another: the only member of the body, which names it. */
export function namedMember(description: Description, site: TypeSite): string | undefined {
  const { shape, calls, members: listed } = site;
  if (listed !== undefined) return listed;
  if (shape !== 'collection' || calls.read !== undefined || calls.create === undefined) return undefined;
  const { members } = membersOf(description, description.bodyOf(calls.create));
  const [only, ...others] = [...members];
  if (only === undefined || others.length > 0) return undefined;
  const noun = camel(singular(site.create[1].split('/').at(-1) ?? ''));
  // What stands beside an id is none.
  const { members: shown } = membersOf(description, answerOf(description, site));
  if (
    only[0] !== 'id' &&
    shown.has('id') &&
    (shown.has(only[0]) || !(/ids?$/i.test(only[0]) || camel(only[0]) === noun))
  )
    return undefined;
  return kindOf(merged(description, only[1])) === 'string' ? only[0] : undefined;
}

/** A member of create bodies that can only hold one text: `[name, text]`. */
export function fixedMember(
  description: Description,
  { calls }: TypeSite,
): readonly [wire: string, value: string] | undefined {
  const { members } = membersOf(description, calls.create === undefined ? undefined : description.bodyOf(calls.create));
  for (const [wire, schema] of members) {
    const values = valuesOf(merged(description, schema));
    if (values?.length === 1 && typeof values[0] === 'string') return [wire, values[0]];
  }
  return undefined;
}

/** Members of create bodies that hold any text. */
export function freeMembers(description: Description, { calls }: TypeSite): readonly string[] {
  const { members } = membersOf(description, calls.create === undefined ? undefined : description.bodyOf(calls.create));
  return [...members].flatMap(([wire, schema]) => {
    const at = merged(description, schema);
    return kindOf(at) === 'string' && valuesOf(at) === undefined ? [wire] : [];
  });
}

interface Members {
  readonly members: ReadonlyMap<string, Json>;
  readonly required: ReadonlySet<string>;
}

function membersOf(description: Description, schema: Json | undefined): Members {
  const at = merged(description, schema);
  const required = Array.isArray(at['required']) ? at['required'].map(String) : [];
  return { members: new Map(Object.entries(description.at(at['properties']))), required: new Set(required) };
}

/** What an update body says of a member. */
interface Change {
  /** Undefined: bodies of updates don't have it. */
  readonly schema: Json | undefined;
  readonly isRequired: boolean;
  /** Answers may show it as null, or not at all. */
  readonly isShownNull: boolean;
}

/**
 * How a member ends whose line goes. A PATCH empties a map entry by entry where entries may be null. What takes no null, and
 * a list that no answer shows as null, is emptied in another way, or stays. A body that is sent whole leaves it out.
 */
function clearedBy(
  { description, site }: FieldContext,
  { clearing, type }: FieldDefinition,
  { schema, isRequired, isShownNull }: Change,
): Pick<FieldDefinition, 'clearing' | 'equality'> {
  if (site.update !== 'PATCH' || schema === undefined) return {};
  if (typeof type === 'object' && 'map' in type) {
    if (type.map === 'string') return {};
    if (isMerged(description, schema)) return { equality: 'map' };
  }
  const at = merged(description, schema);
  // So does a record whose members nobody lists.
  if (type === 'any' && kindOf(at) === 'object') return { equality: 'json' };
  if (clearing !== undefined || isRequired) return {};
  const mayBeEmpty = kindOf(at) === 'array' && at['minItems'] === undefined;
  if (isNullable(at) && (isShownNull || !mayBeEmpty)) return {};
  return {
    clearing: mayBeEmpty ? { by: 'value', value: [] } : { by: 'nothing', why: 'the platform refuses null' },
  };
}

/** True for a map of plain values whose entries may be null; one that holds records is put in whole. */
function isMerged(description: Description, schema: Json): boolean {
  const entry = merged(description, schema)['additionalProperties'];
  if (!isObject(entry) || kindOf(merged(description, entry)) === 'object') return false;
  return [entry, ...branchesOf(description.at(entry))].some((each) => isNullable(merged(description, each)));
}

/** How answers show what a body takes. */
type Shown =
  /** Under its own name, or not at all. */
  | { readonly as: 'is' }
  /** At this path: under another spelling of its name, or as the id of the object that it names. */
  | { readonly as: 'moved'; readonly path: string; readonly rows?: SpelledRows }
  /** A number that bodies take as a text, or the other way round. */
  | { readonly as: 'spelled'; readonly rows: SpelledRows }
  /** In a form of which no rule knows how to read it; the paths that may be meant. */
  | { readonly as: 'unread'; readonly kind: string; readonly paths: readonly string[] };

type SpelledRows = Pick<FieldDefinition, 'as'> & { readonly type: FieldType };

const scalars: ReadonlySet<string | undefined> = new Set(['string', 'integer', 'number', 'boolean']);
const numbers: ReadonlySet<string | undefined> = new Set(['integer', 'number', 'integer-or-text', 'number-or-text']);

/** Where the answers of a type have a member that bodies take, by the names and kinds on both sides. */
function shownOf(description: Description, wire: string, taken: JsonObject, answers: JsonObject): Shown {
  const same = Object.hasOwn(answers, wire) ? wire : spelledElse(description, wire, answers);
  if (same === undefined) return shownObject(description, wire, taken, answers) ?? { as: 'is' };
  const shown = merged(description, answers[same]);
  const [own, other] = [shapeOf(description, taken), shapeOf(description, shown)];
  const moved: Shown = same === wire ? { as: 'is' } : { as: 'moved', path: same };
  if (own.kind === undefined || other.kind === undefined) return moved;
  if (own.isList !== other.isList) return { as: 'unread', kind: saidOf(other), paths: [] };
  if (own.kind === other.kind || (numbers.has(own.kind) && numbers.has(other.kind))) return moved;
  if (scalars.has(own.kind) && other.kind === 'object') {
    const members = description.at(other.of['properties']);
    if (hasScalar(description, other.of, 'id')) return { as: 'moved', path: `${same}.id` };
    const texts = Object.keys(members).filter((name) => kindOf(merged(description, members[name])) === own.kind);
    return { as: 'unread', kind: saidOf(other), paths: texts.map((name) => `${same}.${name}`) };
  }
  const spelled = own.kind === 'string' ? other.kind : other.kind === 'string' ? own.kind : undefined;
  if (spelled !== undefined && numbers.has(spelled)) {
    const kind: FieldType = spelled.startsWith('integer') ? 'integer-or-text' : 'number-or-text';
    const how = same === wire ? ({ as: 'spelled' } as const) : ({ as: 'moved', path: same } as const);
    return {
      ...how,
      rows: { type: own.isList ? { list: kind } : kind, ...(own.kind === 'string' ? { as: 'text' as const } : {}) },
    };
  }
  return own.kind === 'string' || other.kind === 'string' || own.kind === 'object' || other.kind === 'object'
    ? { as: 'unread', kind: saidOf(other), paths: [] }
    : moved;
}

interface Shape {
  readonly kind: string | undefined;
  readonly isList: boolean;
  /** What it is, or what a list of it holds. */
  readonly of: JsonObject;
}

function shapeOf(description: Description, schema: JsonObject): Shape {
  if (kindOf(schema) !== 'array') return { kind: kindOf(schema), isList: false, of: schema };
  const items = merged(description, schema['items']);
  return { kind: kindOf(items), isList: true, of: items };
}

function saidOf({ kind, isList }: Shape): string {
  return isList
    ? `a list of ${kind ?? 'value'}s`
    : `${kind === 'object' || kind === 'integer' ? 'an' : 'a'} ${kind ?? 'value'}`;
}

/** `workflow_ids` and `workflowIds` are one member in two spellings. */
function spelledElse(description: Description, wire: string, answers: JsonObject): string | undefined {
  const name = description.nameOf(wire);
  return Object.keys(answers).find((each) => description.nameOf(each) === name);
}

/** `owner_id` of bodies is the id of what answers show as `owner`, `owner_name` its name; `peer_ids` the ids of `peers`. */
function shownObject(
  description: Description,
  wire: string,
  taken: JsonObject,
  answers: JsonObject,
): Shown | undefined {
  const [stem, member] = nameOfMember(wire);
  const own = shapeOf(description, taken);
  if (stem === undefined || !scalars.has(own.kind)) return undefined;
  const name = description.nameOf(stem);
  const found = Object.keys(answers).find((each) => {
    const called = description.nameOf(each);
    const shown = shapeOf(description, merged(description, answers[each]));
    const isSame = called === name || (own.isList && singular(called) === singular(name));
    return isSame && shown.isList === own.isList && hasScalar(description, shown.of, member);
  });
  return found === undefined ? undefined : { as: 'moved', path: `${found}.${member}` };
}

/** `owner` and `id` of `owner_ids`; a name has to be a word of its own, as it is not in `username`. */
function nameOfMember(wire: string): readonly [stem: string | undefined, member: 'id' | 'name'] {
  const named = /^(.+?)(?:[_-]names?|Names?)$/.exec(wire)?.[1];
  return named === undefined ? [/^(.+?)(?:_|-)?ids?$/i.exec(wire)?.[1], 'id'] : [named, 'name'];
}

function hasScalar(description: Description, { properties }: JsonObject, member: string): boolean {
  return scalars.has(kindOf(merged(description, description.at(properties)[member])));
}
