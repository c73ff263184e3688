import { ProviderError, type LookupType } from '@platform-sync/core/model/provider';
import type { Json, JsonObject } from '@platform-sync/core/model/value';
import { asObject } from '@platform-sync/rest/http/json';
import { problem } from '../errors.js';

/** Matches named in the error when there are several. */
export const named = 10;

/** The only match, or the first when the caller asked for an order. Anything else is an error: never silently the first. */
export function theOne(lookup: LookupType, args: JsonObject, items: readonly JsonObject[]): JsonObject {
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
