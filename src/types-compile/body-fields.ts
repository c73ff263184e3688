import { isObject, type Json, type JsonObject } from '../engine/model/value.js';
import type { FieldDefinition } from '../providers/rest/definition.js';
import { updatesOnly } from '../providers/rest/marked-members.js';
import type { Description } from './description.js';
import { clearedBy } from './clearing.js';
import type { FieldContext } from './field-context.js';
import { fieldRows, isNullable } from './field-contents.js';
import { closedChoice } from './field-type.js';
import { kindOf, merged, valuesOf } from './merge.js';
import type { TypeSite } from './type-site.js';

/** The rule that made a field what it is (the numbers are those of the guide). */
export type DecidedBy =
  | 'path parameter: part of the place'
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
  const names = [...new Set([...made.members.keys(), ...changed.members.keys(), ...shown.members.keys()])];
  return (
    names
      .filter((wire) => wire !== 'id' && wire !== context.fixed && wire !== context.named)
      // No create takes it, and no answer shows what became of it: a catalogue has nothing to say about it.
      .filter((wire) => shown.members.has(wire) || !isForChanges(wire, { made, changed }))
      .map((wire) => compiledField(context, wire, { made, changed, shown, listed }))
  );
}

/** What one object looks like: as it is read, else as the create answers it, else as a list shows it. */
export function answerOf(description: Description, site: TypeSite): Json | undefined {
  const { calls } = site;
  const single = description.answerOf(calls.read ?? {}) ?? description.answerOf(calls.create ?? {});
  if (single === undefined) return calls.list === undefined ? undefined : itemOf(description, calls.list);
  const wrapping = wrapperOf(description, site);
  return wrapping === undefined ? single : description.at(merged(description, single)['properties'])[wrapping];
}

/** The member of an answer that holds the object: where the answer has nothing of the object itself, and one member has. */
export function wrapperOf(description: Description, { calls }: TypeSite): string | undefined {
  const members = description.at(
    merged(description, description.answerOf(calls.read ?? calls.create ?? {}))['properties'],
  );
  const sent = new Set([
    ...(calls.create === undefined ? [] : namesIn(description, description.bodyOf(calls.create))),
    'id',
  ]);
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
  if (kindOf(answer) === 'array') return answer['items'];
  const lists = Object.values(description.at(answer['properties'])).map((member) => merged(description, member));
  return lists.find((member) => kindOf(member) === 'array')?.['items'];
}

interface Bodies {
  readonly made: Members;
  readonly changed: Members;
  readonly shown: Members;
  /** What lists show; undefined where they show nothing in particular. */
  readonly listed: Members | undefined;
}

function compiledField(context: FieldContext, wire: string, { made, changed, shown, listed }: Bodies): CompiledField {
  const { description, site, by } = context;
  const { update } = site.calls;
  const schema = merged(description, made.members.get(wire) ?? changed.members.get(wire) ?? shown.members.get(wire));
  const isSent = made.members.has(wire) || changed.members.has(wire);
  const isReadOnly = schema['readOnly'] === true;
  const there = { shown: shown.members.get(wire), changed: changed.members.get(wire) };
  const { name, ...rows } = fieldRows(context, wire, schema, there);
  const isLate = isForChanges(wire, { made, changed });
  const isTime = /^(?:created|updated)At$/.test(name) && shown.members.has(wire);
  const isOutput = !isSent || isReadOnly || isTime || isLate;
  const isMarked = schema['x-speakeasy-param-force-new'] === true;
  const isTelling = name === by;
  const { type } = rows;
  const replaces = !isOutput && (isMarked || isTelling || !changed.members.has(wire));
  const isHidden = !isOutput && shown.members.size > 0 && isUnseen(description, wire, shown);
  const isEmpty = mayBeNull(description, wire, shown, listed);
  const change = { schema: changed.members.get(wire), isRequired: changed.required.has(wire) };
  return {
    name,
    field: {
      ...rows,
      ...(isTelling && type !== undefined ? { type: closedChoice(type) } : {}),
      ...(isShownAsObject(description, schema, shown.members.get(wire)) ? { shown: `${wire}.id` } : {}),
      ...(replaces && update !== undefined ? { replaces: true as const } : {}),
      ...(!isOutput && update !== undefined && !changed.members.has(wire) ? { createOnly: true as const } : {}),
      ...(isHidden ? { writeOnly: true } : {}),
      ...(!isHidden && listed?.members.has(wire) === false ? { inList: false } : {}),
      ...(isOutput ? {} : clearedBy(context, rows, { ...change, isShownNull: isHidden || isEmpty })),
      ...(!isOutput && !isHidden && isEmpty ? { nullable: true } : {}),
    },
    isOutput,
    isRequired: !isOutput && made.required.has(wire),
    isAlways: shown.required.has(wire) && shown.members.has(wire),
    rule: isReadOnly
      ? 'read-only: output'
      : isOutput
        ? outputRule(isSent, isTime)
        : update === undefined
          ? 'no update call: replaces'
          : isMarked
            ? 'marked: replaces'
            : isTelling
              ? 'tells the branches of a union apart: replaces'
              : replaces
                ? 'create body alone: replaces'
                : updatesOnly(rows.type ?? 'string') !== undefined
                  ? 'update body takes less of it: what it leaves out replaces'
                  : 'create and update body',
  };
}

function outputRule(isSent: boolean, isTime: boolean): DecidedBy {
  if (!isSent) return 'answers alone: output';
  return isTime ? 'time of the service: output' : 'update body alone: output';
}

/** Only an update takes it: declared, every create would be refused. */
function isForChanges(wire: string, { made, changed }: Pick<Bodies, 'made' | 'changed'>): boolean {
  return made.members.size > 0 && changed.members.has(wire) && !made.members.has(wire);
}

/** Bodies name another object by its id, and answers show that object. */
function isShownAsObject(description: Description, schema: JsonObject, answered: Json | undefined): boolean {
  if (kindOf(schema) !== 'string' || answered === undefined) return false;
  const shown = merged(description, answered);
  return kindOf(shown) === 'object' && isObject(description.at(shown['properties'])['id']);
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
  // What stands beside an id is none.
  const { members: shown } = membersOf(description, answerOf(description, site));
  if (only[0] !== 'id' && shown.has('id') && shown.has(only[0])) return undefined;
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
