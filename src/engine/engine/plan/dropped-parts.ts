import { sameJson } from '@platform-sync/core/model/canonical';
import type { RecordedResource } from '@platform-sync/core/model/state';
import { fieldsWhere, isWritten } from '@platform-sync/core/model/resource-type';
import type { ResourceOptions } from '@platform-sync/core/model/desired';
import {
  hasUnknown,
  isObject,
  type Json,
  type JsonObject,
  ownMember,
  reveal,
  type Value,
} from '@platform-sync/core/model/value';
import { compareField, type ObjectFacts } from '@platform-sync/core/value/field-comparison';
import { hasSealed } from '@platform-sync/core/value/secret-parts';
import { updateOrReplace } from './change.js';

const shownFields = fieldsWhere((rule) => isWritten(rule) && !rule.writeOnly);

interface Written extends ObjectFacts, Pick<ResourceOptions, 'replaceOnChanges'> {
  readonly recorded: RecordedResource;
}

/**
 * Values of an object with what the file drops, or says otherwise, of what this stack wrote a moment ago: an answer that lacks it, or
 * shows what the file says instead, may be of before that write, and who believes it forgets what shows later.
 */
export function withDropped(facts: Written): JsonObject {
  const { type, declared, recorded, actual } = facts;
  const back = shownFields(type).flatMap((rule): readonly (readonly [string, Json])[] => {
    const { name } = rule;
    const [was, said, seen] = [recorded.inputs[name] ?? null, declared.get(name), actual[name]];
    if (was === null || hasSealed(was)) return [];
    const known = seen ?? {};
    const field = compareField(rule, facts);
    // No object is replaced for what may be an old answer.
    const isUpdate = updateOrReplace(facts, field) === 'update';
    if (isObject(was) && isObject(known)) {
      const now = overDropped(known, was, said, isUpdate) ?? known;
      return sameJson(now, known) ? [] : [[name, now]];
    }
    const { same, wanted, configured, drifted } = field;
    const isOther = said === undefined ? wanted.by !== 'nobody' : configured && drifted && isUpdate;
    return same && isOther ? [[name, recorded.outputs[name] ?? was]] : [];
  });
  return back.length === 0 ? actual : { ...actual, ...Object.fromEntries(back) };
}

/** The same of all that this stack wrote, whatever the file says by now; what was seen itself where it lacks nothing. */
export function withAllWritten(
  facts: Pick<ObjectFacts, 'type' | 'actual' | 'seals'> & { readonly recorded: RecordedResource },
): JsonObject {
  return withDropped({ ...facts, declared: new Map(), ignored: [], replaceOnChanges: [] });
}

/** What is seen, with what was said and is neither said any more nor seen, or is said otherwise and seen so. */
function overDropped(
  seen: Json | undefined,
  was: Json | undefined,
  said: Value | undefined,
  isUpdate: boolean,
): Json | undefined {
  if (was === undefined) return seen;
  if (said !== undefined && !isObject(said))
    return isUpdate && !hasUnknown(said) && sameJson(reveal(said), seen) ? was : seen;
  if (seen === undefined) return said === undefined ? was : undefined;
  if (!isObject(seen) || !isObject(was)) return seen;
  const members = Object.keys({ ...seen, ...was }).flatMap((key): readonly (readonly [string, Json])[] => {
    const part = overDropped(ownMember(seen, key), ownMember(was, key), said && ownMember(said, key), isUpdate);
    return part === undefined ? [] : [[key, part]];
  });
  return Object.fromEntries(members);
}
