import { canonicalJson, sha256 } from '../../../engine/model/canonical.js';
import { ProviderError, type CallOptions, type LookupType } from '../../../engine/model/provider.js';
import type { Json, JsonObject } from '../../../engine/model/value.js';
import { asObject } from '../../http/json.js';
import { allItems, pageSize, readPage } from '../../http/paging.js';
import type { Query } from '../../http/path.js';
import { fromWire } from '../convert.js';
import type { Session } from '../operations/session.js';
import { argumentQuery } from './arguments.js';
import { lookupCalls, type LookupCall } from './lookup-calls.js';
import { theOne } from './the-one.js';

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
  if (call.result === 'document') {
    const body = await session.call({ method: 'GET', path: call.path, family: call.family, query, ...options });
    return { ...asObject(body), id: syntheticId(lookup, args) };
  }
  const items = allItems(async (number) => {
    const paging: Query = [
      ['page[size]', String(pageSize)],
      ['page[number]', String(number)],
    ];
    const target = { method: 'GET', path: call.path, family: call.family } as const;
    return readPage(await session.call({ ...target, query: [...query, ...paging], ...options }), number);
  });
  if (call.result === 'one') return theOne(lookup, args, items);
  const datas: JsonObject[] = [];
  for await (const item of items) datas.push(item);
  return { datas, id: syntheticId(lookup, args) };
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
