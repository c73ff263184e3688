import { sameJson } from '@platform-sync/core/model/canonical';
import type { RecordedResource } from '@platform-sync/core/model/state';
import { fieldsWhere, isWritten } from '@platform-sync/core/model/resource-type';
import { isObject, type Json, type JsonObject, ownMember, type Value } from '@platform-sync/core/model/value';
import { compareField, type ObjectFacts } from '@platform-sync/core/value/field-comparison';
import { hasSealed } from '@platform-sync/core/value/secret-parts';

const shownFields = fieldsWhere((rule) => isWritten(rule) && !rule.writeOnly);

/**
 * Values of an object with what the file drops of what this stack wrote a moment ago: an answer that lacks it may be of before that
 * write, and who believes it forgets what shows later.
 */
export function withDropped(facts: ObjectFacts & { readonly recorded: RecordedResource }): JsonObject {
  const { type, declared, recorded, actual } = facts;
  const back = shownFields(type).flatMap((rule): readonly (readonly [string, Json])[] => {
    const { name } = rule;
    const [was, said, seen] = [recorded.inputs[name] ?? null, declared.get(name), actual[name]];
    if (was === null || hasSealed(was)) return [];
    const known = seen ?? {};
    if (isObject(was) && isObject(known)) {
      const now = overDropped(known, was, said) ?? known;
      return sameJson(now, known) ? [] : [[name, now]];
    }
    if (said !== undefined) return [];
    const { same, wanted } = compareField(rule, facts);
    return same && wanted.by !== 'nobody' ? [[name, recorded.outputs[name] ?? was]] : [];
  });
  return back.length === 0 ? actual : { ...actual, ...Object.fromEntries(back) };
}

/** The same of all that this stack wrote, whatever the file says by now; what was seen itself where it lacks nothing. */
export function withAllWritten(
  facts: Pick<ObjectFacts, 'type' | 'actual' | 'seals'> & { readonly recorded: RecordedResource },
): JsonObject {
  return withDropped({ ...facts, declared: new Map(), ignored: [] });
}

/** What is seen, with what was said and is neither said any more nor seen. */
function overDropped(seen: Json | undefined, was: Json | undefined, said: Value | undefined): Json | undefined {
  if (was === undefined || (said !== undefined && !isObject(said))) return seen;
  if (seen === undefined) return said === undefined ? was : undefined;
  if (!isObject(seen) || !isObject(was)) return seen;
  const members = Object.keys({ ...seen, ...was }).flatMap((key): readonly (readonly [string, Json])[] => {
    const part = overDropped(ownMember(seen, key), ownMember(was, key), said && ownMember(said, key));
    return part === undefined ? [] : [[key, part]];
  });
  return Object.fromEntries(members);
}
