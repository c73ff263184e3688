import type { Diagnostic } from '../engine/model/diagnostic.js';
import { isList } from '../engine/model/value.js';
import type { TypeDefinition } from '../providers/rest/definition.js';
import type { TypesCode } from '../generated/codes.js';
import type { Description } from './description.js';
import { isFixed } from './fixed-sets.js';
import { branchesOf } from './merge.js';
import type { Place } from './place.js';
import type { Correction, OpenRow } from './correction.js';
import type { TypeSite } from './type-site.js';
import { unfitShapes } from './unfit-shapes.js';
import { unsureUpdates } from './unsure-updates.js';

/** What is left to people: each item is settled by the row it names, or by accepting that it is so. */
export function openItems(
  description: Description,
  site: TypeSite,
  place: Place,
  definition: TypeDefinition,
  correction: Correction | undefined,
  isShared: boolean,
): readonly Diagnostic[] {
  const unknownParent = place.above.find(({ type }) => type === undefined);
  const hasKey = definition.naturalKey.length > place.above.length || place.own !== 'id';
  const items: readonly (readonly [OpenRow, string | false])[] = [
    [
      'union',
      definition.union === undefined &&
        isOneOfSeveral(description, site) &&
        'its body is one of several: a union says by which field they are told apart',
    ],
    [
      'absence',
      definition.absence === undefined &&
        site.item.includes('{') &&
        'nothing says how it shows that one is gone: until then none ever is',
    ],
    ['naturalKey', !hasKey && 'no field tells one from another: naturalKey names those that people know it by'],
    ['parent', unknownParent !== undefined && `nothing says what ${unknownParent.field} is the id of`],
    [
      'list',
      definition.list === undefined &&
        site.shape !== 'singleton' &&
        'there is no list: none is found that is not known',
    ],
    [
      'read',
      definition.operations.read === undefined &&
        definition.absence !== 'two-lists' &&
        'it can not be read alone: absence "two-lists" fits where a list shows it',
    ],
    [
      'tells',
      isShared &&
        definition.tells === undefined &&
        'others lie in its list: tells says by which member they are told apart',
    ],
    [
      'untouched',
      isFixed(site) &&
        definition.untouched === undefined &&
        'one is there before anybody changes it: untouched says what it has then',
    ],
    ['updates', unsureUpdates(description, site)],
    ...unfitShapes(description, site, place, definition),
    ['names', /\d$/.test(site.name) && `another type has its name: names gives ${site.create[1]} one of its own`],
  ];
  const code: TypesCode = 'undecided-type';
  return items.flatMap(([row, what]): readonly Diagnostic[] =>
    what === false || isDecided(row, correction)
      ? []
      : [{ severity: 'warning', code, summary: `${site.name}: ${what}.` }],
  );
}

/** A correction settles what it names, and nothing else. */
function isDecided(row: OpenRow, correction: Correction | undefined): boolean {
  if (correction === undefined) return false;
  return row in correction || (row === 'paging' && 'list' in correction) || correction.accepted?.includes(row) === true;
}

function isOneOfSeveral(description: Description, { calls }: TypeSite): boolean {
  const body = description.at(calls.create === undefined ? undefined : description.bodyOf(calls.create));
  const parts = isList(body['allOf']) ? body['allOf'].map((part) => description.at(part)) : [];
  return [body, ...parts].some(
    (part) => branchesOf(part).filter((branch) => description.at(branch)['type'] !== 'null').length > 1,
  );
}
