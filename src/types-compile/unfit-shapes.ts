import { isList } from '../engine/model/value.js';
import type { Json, JsonObject } from '../engine/model/value.js';
import type { TypeDefinition } from '../providers/rest/definition.js';
import type { Description } from './description.js';
import { answerOf } from './fields.js';
import { kindOf, merged } from './merge.js';
import type { Place } from './place.js';
import type { OpenRow } from './correction.js';
import type { TypeSite } from './type-site.js';

const paging =
  /^(?:page|cursor|after|before|offset|skip|start|starting_?after|ending_?before|marker|limit|continue|continuation_?token|next_?token|per_?page|page_?(?:size|token|number)|page\[\w+\])$/i;

/** Shapes of a service that calls would get wrong, each with what can be done about it. */
export function unfitShapes(
  description: Description,
  site: TypeSite,
  place: Place,
  definition: TypeDefinition,
): readonly (readonly [OpenRow, string | false])[] {
  return [
    ['paging', unknownPages(description, site, definition)],
    ['body', unfitBody(description, site)],
    ['id', unfitId(description, site, place)],
  ];
}

/** A list that has pages and is read as one would be taken for whole after the first. */
function unknownPages(description: Description, { calls }: TypeSite, { list }: TypeDefinition): string | false {
  if (list === undefined || list.paging?.by !== 'none' || calls.list === undefined) return false;
  const parameters = isList(calls.list['parameters']) ? calls.list['parameters'] : [];
  const asked = parameters
    .map((each) => description.at(each))
    .flatMap(({ in: where, name }) =>
      where === 'query' && typeof name === 'string' && paging.test(name) ? [name] : [],
    );
  const hasLink = headersOf(description, calls.list).some((name) => name.toLowerCase() === 'link');
  const signs = [...asked, ...(hasLink ? ['the header Link'] : [])];
  if (signs.length === 0) return false;
  return `its list comes in pages (${signs.join(', ')}) in a way that no rule knows: list.paging says how, else its first page is taken for all`;
}

function headersOf(description: Description, call: JsonObject): readonly string[] {
  const answers = description.at(call['responses']);
  const done = Object.keys(answers).find((status) => status.startsWith('2')) ?? '';
  return Object.keys(description.at(description.at(answers[done])['headers']));
}

function unfitBody(description: Description, { calls }: TypeSite): string | false {
  const call = calls.create ?? {};
  const media = Object.keys(description.at(description.at(call['requestBody'])['content']));
  if (media.length > 0 && !media.some((type) => type.includes('json')))
    return `what makes it is sent as ${media.join(' or ')}, and only JSON is: skip it`;
  const sent = onlyMember(description, description.bodyOf(call));
  const shown = onlyMember(description, description.answerOf(calls.read ?? call));
  return sent !== undefined && sent === shown
    ? `bodies hold all of it in "${sent}", which is never sent so: skip it, or let the service take its fields themselves`
    : false;
}

/** The one member of a schema, where that is a record. */
function onlyMember(description: Description, schema: Json | undefined): string | undefined {
  const properties = description.at(merged(description, schema)['properties']);
  const [only, ...others] = Object.entries(properties);
  if (only === undefined || others.length > 0) return undefined;
  const inside = description.at(merged(description, only[1])['properties']);
  return Object.keys(inside).length > 0 ? only[0] : undefined;
}

/** What POST makes gets its id from the service: answers must show it, as a text. */
function unfitId(description: Description, site: TypeSite, place: Place): string | false {
  if (site.shape !== 'collection' || site.create[0] !== 'POST' || !site.item.endsWith('}')) return false;
  const members = description.at(merged(description, answerOf(description, site))['properties']);
  if (place.own === 'id') {
    const kind = members['id'] === undefined ? undefined : kindOf(merged(description, members['id']));
    return kind === 'integer' || kind === 'number'
      ? 'its id is a number, and ids are texts: let the service show a text, or skip it'
      : false;
  }
  const made = description.at(merged(description, description.bodyOf(site.calls.create ?? {}))['properties']);
  if (Object.keys(made).some((wire) => description.nameOf(wire) === place.own)) return false;
  return `the service chooses its id and shows none called "id": ${place.own} would have to be declared, and is never sent; skip it, or let answers hold "id"`;
}
