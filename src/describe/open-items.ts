import type { Diagnostic } from '@platform-sync/core/model/diagnostic';
import { isList, type Json, type JsonObject } from '@platform-sync/core/model/value';
import type { TypeDefinition } from '@platform-sync/rest/definition';
import type { TypesCode } from '@platform-sync/core/generated/codes';
import { absentAnswer, mayEnd } from './absence.js';
import { answerOf, type CompiledField } from './body-fields.js';
import type { Description } from './description.js';
import { isFixed } from './fixed-sets.js';
import { branchesOf, kindOf, merged, valuesOf } from './merge.js';
import type { Place } from './place.js';
import type { Correction, OpenItem, OpenRow } from './correction.js';
import { unknownNeeds } from './resent.js';
import { correctionLines, ruleLine, type SettlingRows } from './rules-lines.js';
import type { TypeSite } from './type-site.js';
import { pascal, singular } from './words.js';
import { unfitPattern } from '@platform-sync/core/model/linear-pattern';
import { strictPattern } from './limits.js';
import { onlyRecord } from './enveloped.js';
import { isLinkGuessed, signsOfPages } from './list-rule.js';
import { ownIdOf } from './own-id.js';
import { unionRule } from './union.js';

interface OpenType {
  readonly description: Description;
  readonly site: TypeSite;
  readonly place: Place;
  readonly definition: TypeDefinition;
  readonly fields: readonly CompiledField[];
  readonly correction: Correction | undefined;
  /** Others are made at its path. */
  readonly isShared: boolean;
}

/** What is left to people: each item is settled by the lines that it names, or by accepting that it is so. */
export function openItems(open: OpenType): readonly Diagnostic[] {
  const { site, correction } = open;
  const isShared = /\d$/.test(site.name) && !isDecided('names', correction);
  const name = `${site.name}: another type has this name; under names, give ${site.create[1]} one of its own.`;
  return [
    ...itemsOf(open).flatMap(([row, what, rows]): readonly Diagnostic[] =>
      what === false || isDecided(row, correction, rows)
        ? []
        : [
            undecided(
              `${site.name}: ${what}.`,
              correctionLines(isShared ? spelledOut(site) : site.name, rows ?? { accepted: [row] }),
            ),
          ],
    ),
    ...(isShared ? [undecided(name, ruleLine('names', { [site.create[1]]: spelledOut(site) }))] : []),
  ];
}

function itemsOf(open: OpenType): readonly OpenItem[] {
  const { description, site, place, definition, fields, isShared } = open;
  const unknownParent = place.above.find(({ type }) => type === undefined);
  const hasKey = definition.naturalKey.length > place.above.length || place.own !== 'id';
  const name = fields.find(
    ({ field, isOutput, isRequired }) => !isOutput && isRequired && field.type === undefined,
  )?.name;
  return [
    [
      'union',
      definition.union === undefined &&
        isOneOfSeveral(description, site) &&
        'its body has several forms: a union names the field that distinguishes them',
    ],
    [
      'naturalKey',
      !hasKey && 'no field identifies an object: naturalKey names the fields that do',
      name === undefined || definition.naturalKey.includes(name)
        ? undefined
        : { naturalKey: [...definition.naturalKey, name] },
    ],
    ['parent', unknownParent !== undefined && `it is unknown what ${unknownParent.field} is the id of`],
    [
      'list',
      definition.list === undefined &&
        site.shape !== 'singleton' &&
        definition.operations.read !== undefined &&
        'there is no list, so unknown objects cannot be found',
    ],
    [
      'read',
      definition.operations.read === undefined &&
        definition.list === undefined &&
        'no call and no list shows it, so it cannot be read',
      { skip: true },
    ],
    [
      'tells',
      isShared &&
        definition.tells === undefined &&
        'its list holds other types, too: tells names the member that distinguishes them',
    ],
    [
      'untouched',
      isFixed(site) &&
        definition.untouched === undefined &&
        'one exists before anybody changes it: untouched gives its initial values',
    ],
    ['updates', unsureUpdates(description, site)],
    ...neededItem(open),
    ...unreadItems(fields),
    ...unfitShapes(description, site, place, definition),
  ];
}

/** A warning with the lines for the rules file. */
function undecided(summary: string, lines: string): Diagnostic {
  const code: TypesCode = 'undecided-type';
  const hint = 'These lines of a rules file (--rules FILE) settle it; correct them where they are wrong.';
  return { severity: 'warning', code, summary, detail: lines, hint };
}

/** A type of which nothing can be made is left out. */
export function unfit(name: string, wrong: readonly string[]): Diagnostic {
  return undecided(`${name} is left out: ${wrong.join('; ')}.`, correctionLines(name, { skip: true }));
}

/** A member that updates are refused without, and that no answer shows. */
function neededItem({ description, site, place, fields }: OpenType): readonly OpenItem[] {
  const unknown = unknownNeeds(description, site, place, fields);
  return [
    [
      'updates',
      unknown.length > 0 && `updates need ${unknown.join(', ')}, which no answer shows: every change would be refused`,
    ],
  ];
}

/** What bodies take in one form and answers show in another. */
function unreadItems(fields: readonly CompiledField[]): readonly OpenItem[] {
  return fields.flatMap(({ name, unread, field }): readonly OpenItem[] => {
    if (unread === undefined || field.shown !== undefined) return [];
    const [path] = unread.paths;
    return [
      [
        'shown',
        `answers show ${name} as ${unread.kind}, but bodies take another form: it is sent and never compared`,
        { fields: { [name]: path === undefined ? { writeOnly: true } : { writeOnly: false, shown: path } } },
      ],
    ];
  });
}

/** A name by all the words of the path. */
function spelledOut({ create: [, path] }: TypeSite): string {
  return path
    .split('/')
    .filter((part) => part !== '' && !part.startsWith('{'))
    .map((part) => pascal(singular(part)))
    .join('')
    .replace(/^(?=\d)/, 'No');
}

/** What only people know of a 404 of the service, once for all types that it concerns. */
export function openAbsence(types: readonly Omit<OpenType, 'isShared' | 'fields' | 'place'>[]): readonly Diagnostic[] {
  const open = types.filter(
    ({ definition, site, correction }) =>
      definition.absence === undefined &&
      mayEnd(site) &&
      site.calls.read !== undefined &&
      // Settings are there as long as what they are of.
      (site.shape !== 'singleton' || site.calls.delete !== undefined) &&
      !isDecided('absence', correction),
  );
  const [first] = open;
  if (first?.site.calls.read === undefined) return [];
  const names = open.map(({ definition }) => definition.name);
  const some = names.length > 6 ? `${names.slice(0, 5).join(', ')} and ${names.length - 5} others` : names.join(', ');
  const { answer } = absentAnswer(first.description, first.site.calls.read);
  return [
    undecided(
      `The form of a 404 of this service is unknown: until it is given, none of ${some} is ever gone.`,
      ruleLine('absence', answer),
    ),
  ];
}

/** A correction settles what it names, and nothing else. */
function isDecided(row: OpenRow, correction: Correction | undefined, rows: SettlingRows = {}): boolean {
  if (correction === undefined) return false;
  if (Object.keys(rows.fields ?? {}).some((name) => correction.fields?.[name] !== undefined)) return true;
  return row in correction || (row === 'paging' && 'list' in correction) || correction.accepted?.includes(row) === true;
}

function isOneOfSeveral(description: Description, { calls }: TypeSite): boolean {
  const body = description.at(calls.create === undefined ? undefined : description.bodyOf(calls.create));
  const parts = isList(body['allOf']) ? body['allOf'].map((part) => description.at(part)) : [];
  return [body, ...parts].some(
    (part) => branchesOf(part).filter((branch) => description.at(branch)['type'] !== 'null').length > 1,
  );
}

/** Shapes of a service that calls would get wrong, each with what can be done about it. */
function unfitShapes(
  description: Description,
  site: TypeSite,
  place: Place,
  definition: TypeDefinition,
): readonly OpenItem[] {
  return [
    ['paging', unknownPages(description, site, definition), pagesSaid(description, site, definition)],
    ['body', unfitBody(description, site), { skip: true }],
    ['body', leftOut(site)],
    ['id', unfitId(description, site, place), { skip: true }],
    ['pattern', unfitPatterns(description, site)],
  ];
}

/** A list that has pages and is read as one would be taken for whole after the first. */
function unknownPages(description: Description, { calls }: TypeSite, { list }: TypeDefinition): string | false {
  if (list === undefined || calls.list === undefined) return false;
  const signs = signsOfPages(description, calls.list);
  if (isLinkGuessed(description, calls.list, list.paging))
    return `its list comes in pages (${signs.join(', ')}), and nothing says where the next is named: it is taken from the header Link of answers`;
  if (list.paging?.by !== 'none' || signs.length === 0) return false;
  return `its list comes in pages (${signs.join(', ')}) in a way that no rule knows: list.paging says how, else its first page is taken for all`;
}

/** Pages as they may be: what the description shows of them, put together. */
function pagesSaid(description: Description, { calls }: TypeSite, { list }: TypeDefinition): SettlingRows | undefined {
  if (list === undefined || calls.list === undefined) return undefined;
  const [cursor] = signsOfPages(description, calls.list).filter((sign) => !/limit|size|count|max/i.test(sign));
  if (list.paging?.by !== 'none' || cursor === undefined) return undefined;
  const paging = { by: 'cursor', items: list.paging.items, cursor, next: ['next'] };
  return { list: { ...list, paging } };
}

/** What stands beside an envelope can't be declared. */
function leftOut({ beside = [] }: TypeSite): string | false {
  return (
    beside.length > 0 && `${beside.join(', ')} of its bodies can't be declared: they stand beside what holds the object`
  );
}

function unfitBody(description: Description, { calls, envelope }: TypeSite): string | false {
  const call = calls.create ?? {};
  const media = Object.keys(description.at(description.at(call['requestBody'])['content']));
  if (media.length > 0 && !media.some((type) => type.includes('json')))
    return `what makes it is sent as ${media.join(' or ')}, and only JSON is: skip it`;
  const sent = onlyRecord(description, description.bodyOf(call));
  const changed = calls.update === undefined ? sent : onlyRecord(description, description.bodyOf(calls.update));
  const isField = (name: string | undefined, other: JsonObject | undefined): boolean =>
    name !== undefined &&
    description.at(merged(description, other && description.bodyOf(other))['properties'])[name] !== undefined;
  return envelope === undefined && sent !== changed && !isField(sent, calls.update) && !isField(changed, call)
    ? `of its bodies one holds all of it in "${sent ?? changed ?? ''}" and one does not: skip it, or let the service take both alike`
    : false;
}

/** What POST makes gets its id from the service: answers must show it, as a text. */
function unfitId(description: Description, site: TypeSite, place: Place): string | false {
  if (site.shape !== 'collection' || site.create[0] !== 'POST' || !site.item.endsWith('}')) return false;
  const members = description.at(merged(description, answerOf(description, site))['properties']);
  if (place.own === 'id') {
    const kind = members['id'] === undefined ? undefined : kindOf(merged(description, members['id']));
    return kind === 'number'
      ? 'its id is a number and no whole one, and ids are texts: let the service show a text, or skip it'
      : false;
  }
  if (ownIdOf(description, site)?.by === 'people') return false;
  const made = description.at(merged(description, description.bodyOf(site.calls.create ?? {}))['properties']);
  if (Object.keys(made).some((wire) => description.nameOf(wire) === place.own)) return false;
  return `the service chooses its id and shows none called "id": ${place.own} would have to be declared, and is never sent; skip it, or let answers hold "id"`;
}

/** A pattern is left out where nothing runs it in time that grows with the text alone. */
function unfitPatterns(description: Description, { calls }: TypeSite): string | false {
  const found = [calls.create, calls.update].flatMap((call) => {
    const body = call === undefined ? undefined : description.bodyOf(call);
    return Object.entries(description.at(merged(description, body)['properties'])).flatMap(([wire, schema]) => {
      const { pattern } = merged(description, schema);
      const unfit = typeof pattern === 'string' ? unfitPattern(strictPattern(pattern)) : undefined;
      return unfit === undefined ? [] : [`${description.nameOf(wire)} (${unfit.message})`];
    });
  });
  return (
    found.length > 0 &&
    `patterns are left out: ${[...new Set(found)].join(', ')}; limits says the same without, or not at all`
  );
}

/** Records within each other that are looked into. */
const mostRecords = 8;

/**
 * Where updates take fewer kinds than creates, and no member inside of the record says which it is: then nobody can tell
 * beforehand which changes are refused.
 */
function unsureUpdates(description: Description, { calls }: TypeSite): string | false {
  if (calls.create === undefined || calls.update === undefined || calls.create === calls.update) return false;
  const [made, changed] = [description.bodyOf(calls.create), description.bodyOf(calls.update)];
  const kinds = fewerKinds(description, made, changed);
  const paths = kinds === undefined ? unsurePaths(description, made, changed, []) : [kinds];
  if (paths.length === 0) return false;
  return `an update takes fewer kinds of ${paths.join(', ')} than a create, and nothing in it says which it is of: a change of another is refused`;
}

/** The member that tells what an object is, where updates take only some of what it may be. */
function fewerKinds(description: Description, made: Json | undefined, changed: Json | undefined): string | undefined {
  const by = unionRule(description, made)?.by;
  if (by === undefined) return undefined;
  const [all, taken] = [made, changed].map((body) => {
    const members = Object.entries(description.at(merged(description, body)['properties']));
    const telling = members.find(([wire]) => description.nameOf(wire) === by)?.[1];
    return telling === undefined ? undefined : valuesOf(merged(description, telling));
  });
  if (all === undefined || taken === undefined) return undefined;
  return all.every((kind) => taken.includes(kind)) ? undefined : by;
}

function unsurePaths(
  description: Description,
  made: Json | undefined,
  changed: Json | undefined,
  path: readonly string[],
): readonly string[] {
  if (made === undefined || changed === undefined || path.length > mostRecords) return [];
  const [before, after] = [merged(description, made), merged(description, changed)];
  const isFewer = path.length > 0 && isUnsure(description, made, changed);
  const [own, taken] = [description.at(before['properties']), description.at(after['properties'])];
  const inside = Object.entries(own).flatMap(([wire, member]) =>
    unsurePaths(description, member, taken[wire], [...path, description.nameOf(wire)]),
  );
  return [
    ...(isFewer ? [path.join('.')] : []),
    ...inside,
    ...unsurePaths(description, before['items'], after['items'], [...path, '*']),
  ];
}

/** Fewer branches than there were, of records that no member of theirs tells apart in both. */
function isUnsure(description: Description, made: Json, changed: Json): boolean {
  const [before, after] = [recordsOf(description, made), recordsOf(description, changed)];
  if (before.length < 2 || after.length === 0 || after.length >= before.length) return false;
  const by = unionRule(description, made)?.by;
  const names = Object.keys(description.at(merged(description, changed)['properties']));
  return by === undefined || !names.some((wire) => description.nameOf(wire) === by);
}

function recordsOf(description: Description, schema: Json): readonly Json[] {
  return branchesOf(description.at(schema)).filter((branch) => kindOf(merged(description, branch)) === 'object');
}
