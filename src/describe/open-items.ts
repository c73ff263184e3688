import type { Diagnostic } from '@platform-sync/core/model/diagnostic';
import { isList } from '@platform-sync/core/model/value';
import type { TypeDefinition } from '@platform-sync/rest/definition';
import type { TypesCode } from '@platform-sync/core/generated/codes';
import { absentAnswer, mayEnd } from './absence.js';
import type { CompiledField } from './body-fields.js';
import type { Description } from './description.js';
import { isFixed } from './fixed-sets.js';
import { branchesOf } from './merge.js';
import type { Place } from './place.js';
import type { Correction, OpenItem, OpenRow } from './correction.js';
import { unknownNeeds } from './resent.js';
import { correctionLines, ruleLine, type SettlingRows } from './rules-lines.js';
import type { TypeSite } from './type-site.js';
import { unfitShapes } from './unfit-shapes.js';
import { unsureUpdates } from './unsure-updates.js';
import { pascal, singular } from './words.js';

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
