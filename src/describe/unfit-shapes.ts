import { unfitPattern } from '@platform-sync/core/model/linear-pattern';
import type { JsonObject } from '@platform-sync/core/model/value';
import type { TypeDefinition } from '@platform-sync/rest/definition';
import type { Description } from './description.js';
import { answerOf } from './body-fields.js';
import { strictPattern } from './broken-limits.js';
import { onlyRecord } from './enveloped.js';
import { isLinkGuessed, signsOfPages } from './list-rule.js';
import { kindOf, merged } from './merge.js';
import { ownIdOf } from './own-id.js';
import type { Place } from './place.js';
import type { OpenItem } from './correction.js';
import type { SettlingRows } from './rules-lines.js';
import type { TypeSite } from './type-site.js';

/** Shapes of a service that calls would get wrong, each with what can be done about it. */
export function unfitShapes(
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
