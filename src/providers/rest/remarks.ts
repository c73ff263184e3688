import type { RemoteObject } from '@platform-sync/core/model/provider';
import type { Json } from '@platform-sync/core/model/value';
import { asList, asObject, asText } from './http/json.js';
import type { RestCode } from '@platform-sync/core/generated/codes';
import type { RestType } from './rest-type.js';
import type { Session } from './session.js';

const mostTold = 5;

/** Tells what the platform finds wrong with an object that it takes all the same, once a run. */
export function withRemarks<T extends RemoteObject | undefined>(session: Session, rest: RestType, object: T): T {
  const { remarks, name } = rest.definition;
  if (remarks === undefined || object === undefined) return object;
  const texts = (asList(object.values[remarks]) ?? []).flatMap(textOf);
  if (texts.length === 0) return object;
  const more = texts.length > mostTold ? ` (and ${texts.length - mostTold} more)` : '';
  const code: RestCode = 'remarked';
  session.warnOnce({
    severity: 'warning',
    code,
    summary: `${name} ${labelOf(rest, object)}: the platform accepted it, and says: ${texts.slice(0, mostTold).join('; ')}${more}`,
  });
  return object;
}

function textOf(remark: Json): readonly string[] {
  const text = asText(remark) ?? asText(asObject(remark)?.['message']);
  return text === undefined ? [] : [text];
}

/** By what people know it, and its id. */
function labelOf({ fields }: RestType, { identity, values }: RemoteObject): string {
  const label = Object.keys(fields).find((name) => ['name', 'label'].includes(fields[name]?.role ?? ''));
  const text = asText(values[label ?? ''] ?? null);
  return text === undefined ? identity.id : `"${text}" (${identity.id})`;
}
