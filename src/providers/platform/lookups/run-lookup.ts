import { canonicalJson, sha256 } from '@platform-sync/core/model/canonical';
import { type CallOptions, type LookupType, ProviderError } from '@platform-sync/core/model/provider';
import type { Json, JsonObject } from '@platform-sync/core/model/value';
import { asList, asObject, BadAnswer } from '@platform-sync/rest/http/json';
import { idOf, readPage } from '@platform-sync/rest/http/page';
import type { Query } from '@platform-sync/rest/http/path';
import { fromWire, wireName } from '../style.js';
import type { Session } from '@platform-sync/rest/session';
import { pageQuery } from '../page-query.js';
import { argumentQuery } from './arguments.js';
import { type LookupCall, lookupCalls } from './lookup-calls.js';
import { lookupPageShape } from '../wire.js';
import { problem } from '../errors.js';

/** Runs one lookup. Arguments that can't be right are an error before anything is sent. */
export async function runLookup(
  session: Session,
  lookup: LookupType,
  args: JsonObject,
  options: CallOptions,
): Promise<JsonObject> {
  const call = lookupCalls[lookup.name];
  if (call === undefined) throw new Error(`bug: no calls for ${lookup.token}`);
  const { query, problems } = argumentQuery(lookup, call, args);
  if (problems.length > 0) throw new ProviderError('invalid', problems);
  const record = await resultRecord(session, lookup, call, args, query, options);
  return { ...(fromWire(lookup.outputs, record, { fill: true, ...namesOf(call) }) as JsonObject), ...echoed(args) };
}

async function resultRecord(
  session: Session,
  lookup: LookupType,
  call: LookupCall,
  args: JsonObject,
  query: Query,
  options: CallOptions,
): Promise<JsonObject> {
  const target = { path: call.path, host: call.family, ...options };
  if (call.result === 'document') {
    const document = await session.get({ ...target, query }, (body) => wholeDocument(lookup, call, body));
    return { ...document, id: syntheticId(lookup, args) };
  }
  const isFirst = call.result === 'one' && typeof args.sort === 'string';
  const { items } = await session.list(target, {
    fetchPage: (number) =>
      session.get({ ...target, query: [...query, ...pageQuery(number)] }, (body) => readPage(body, lookupPageShape)),
    keyOf: (item) => idOf(item) ?? '',
    // Of an order only the first is asked for; and that there are several is clear before the end.
    isEnough: ({ items: some }) => call.result === 'one' && some.length > (isFirst ? 0 : named),
  });
  if (call.result === 'one') return theOne(lookup, args, items);
  return { datas: items, id: syntheticId(lookup, args) };
}

/** The answer of a call that is no list, when it has all that such an answer always has. */
function wholeDocument(lookup: LookupType, call: LookupCall, body: Json): JsonObject | BadAnswer {
  const document = asObject(body);
  const missing = (asList(lookup.outputs.required) ?? []).map(String).find((name) => {
    const wire = wireName(name, call.names);
    return (
      name !== 'id' && (document === undefined || !(Object.hasOwn(document, wire) || Object.hasOwn(document, name)))
    );
  });
  if (document === undefined) return new BadAnswer('no object');
  return missing === undefined ? document : new BadAnswer(`no ${missing}`);
}

/** Lists have no id of their own; this one is the same for the same question. */
function syntheticId(lookup: LookupType, args: JsonObject): string {
  return sha256(`${lookup.token} ${canonicalJson(echoed(args))}`).slice(0, 32);
}

function echoed(args: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(args).filter((entry): entry is [string, Json] => entry[1] !== null));
}

function namesOf(call: LookupCall): Pick<LookupCall, 'names'> {
  return call.names === undefined ? {} : { names: call.names };
}

/** Matches named in the error when there are several. */
const named = 10;

/** The only match, or the first when the caller asked for an order. Anything else is an error: never silently the first. */
function theOne(lookup: LookupType, args: JsonObject, items: readonly JsonObject[]): JsonObject {
  const [first, second] = items;
  if (first === undefined) throw nothingFound(lookup, args);
  if (second !== undefined && typeof args.sort !== 'string') throw severalFound(lookup, args, items);
  return first;
}

function nothingFound(lookup: LookupType, args: JsonObject): ProviderError {
  const hint = 'Check the values, the region (serverUrl) and what the token may see.';
  const summary = `${lookup.name} found nothing with ${described(args)}.`;
  return new ProviderError('not-found', [problem('nothing-found', summary, { hint })]);
}

function severalFound(lookup: LookupType, args: JsonObject, matches: readonly JsonObject[]): ProviderError {
  const names = matches.slice(0, named).map((item) => `${textOf(item.name)} (${textOf(item.id)})`);
  const detail = `Matches: ${names.join(', ')}${matches.length > named ? ' and more' : ''}.`;
  const canSort = asObject(lookup.inputs.properties)?.sort !== undefined;
  const hint = `Make the filter more exact${canSort ? ', or take the first one of an order with sort' : ''}.`;
  const count = matches.length > named ? `more than ${named}` : String(matches.length);
  const summary = `${lookup.name} found ${count} objects with ${described(args)}.`;
  return new ProviderError('invalid', [problem('several-found', summary, { detail, hint })]);
}

/** The filter in words: `name eq "dev", cloudGateway true`. */
function described(args: JsonObject): string {
  const parts: string[] = [];
  for (const [member, value] of Object.entries(asObject(args.filter) ?? {})) {
    const operators = asObject(value);
    if (operators === undefined) parts.push(`${member} ${JSON.stringify(value)}`);
    else
      for (const [operator, operand] of Object.entries(operators))
        parts.push(`${member} ${operator} ${JSON.stringify(operand)}`);
  }
  if (typeof args.filterLabels === 'string') parts.push(`labels ${JSON.stringify(args.filterLabels)}`);
  return parts.length === 0 ? 'no filter' : `the filter ${parts.join(', ')}`;
}

function textOf(value: Json | undefined): string {
  return typeof value === 'string' ? value : 'unnamed';
}
