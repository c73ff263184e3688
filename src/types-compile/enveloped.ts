import type { Json, JsonObject } from '../engine/model/value.js';
import type { Description } from './description.js';
import { merged } from './merge.js';
import type { TypeSite } from './type-site.js';

/**
 * A site whose bodies hold all they send in one member is taken by what is in it: then fields are those of the object. Answers must
 * show what it holds. What stands beside it may be left out, or there is no envelope.
 */
export function opened(description: Description, site: TypeSite): TypeSite {
  const { create, update, read } = site.calls;
  if (create === undefined || site.members !== undefined) return site;
  const shown = membersOf(description, description.answerOf(read ?? create));
  const [made, changed] = [envelopeOf(description, create, shown), envelopeOf(description, update, shown)];
  const isSame = update === undefined || made === changed;
  if (made === undefined && (changed === undefined || update === undefined)) return site;
  // One of them alone is opened where the other has the same members without.
  if (!isSame && !isInsideOf(description, made === undefined ? create : update, shown, made ?? changed ?? ''))
    return site;
  const open = (call: JsonObject, envelope: string | undefined): JsonObject =>
    envelope === undefined
      ? call
      : {
          ...call,
          requestBody: {
            content: {
              'application/json': { schema: membersOf(description, description.bodyOf(call))[envelope] ?? {} },
            },
          },
        };
  const both = {
    ...(made === undefined ? {} : { create: made }),
    ...(changed === undefined ? {} : { update: changed }),
  };
  return {
    ...site,
    envelope: isSame && made !== undefined ? made : both,
    calls: {
      ...site.calls,
      create: open(create, made),
      ...(update === undefined ? {} : { update: open(update, changed) }),
    },
    ...besideRows(description, [
      [create, made],
      [update, changed],
    ]),
  };
}

/** Members of bodies that stand beside an envelope: nobody can declare them. */
function besideRows(
  description: Description,
  bodies: readonly (readonly [JsonObject | undefined, string | undefined])[],
): Pick<TypeSite, 'beside'> {
  const names = bodies.flatMap(([call, envelope]) =>
    call === undefined || envelope === undefined
      ? []
      : Object.keys(membersOf(description, description.bodyOf(call))).filter((name) => name !== envelope),
  );
  return names.length === 0 ? {} : { beside: [...new Set(names)] };
}

function envelopeOf(description: Description, call: JsonObject | undefined, shown: JsonObject): string | undefined {
  if (call === undefined) return undefined;
  const body = description.bodyOf(call);
  const only = onlyRecord(description, body);
  if (only !== undefined) {
    const isShown =
      shown[only] !== undefined ||
      Object.keys(inside(description, call, only)).some((name) => shown[name] !== undefined);
    return isShown ? only : undefined;
  }
  const { required } = merged(description, body);
  const needed = Array.isArray(required) ? required.map(String) : [];
  const members = membersOf(description, body);
  // Beside others it is the one that answers wrap the object in, too.
  return Object.keys(members).find((name) => {
    const own = Object.keys(inside(description, call, name));
    const held = membersOf(description, shown[name]);
    const isWrapped = own.length > 0 && own.filter((member) => held[member] !== undefined).length * 2 >= own.length;
    const isBeside = Object.keys(members).some((each) => each !== name && shown[each] !== undefined);
    return isWrapped && !isBeside && shown['id'] === undefined && needed.every((each) => each === name);
  });
}

function isInsideOf(
  description: Description,
  call: JsonObject | undefined,
  shown: JsonObject,
  envelope: string,
): boolean {
  const [plain, held] = [
    membersOf(description, call && description.bodyOf(call)),
    membersOf(description, shown[envelope]),
  ];
  const names = Object.keys(plain);
  return names.length > 0 && names.filter((name) => held[name] !== undefined).length * 2 >= names.length;
}

function inside(description: Description, call: JsonObject, envelope: string): JsonObject {
  return membersOf(description, membersOf(description, description.bodyOf(call))[envelope]);
}

function membersOf(description: Description, schema: Json | undefined): JsonObject {
  return description.at(merged(description, schema)['properties']);
}

/** The one member of a schema, where that is a record. */
export function onlyRecord(description: Description, schema: Json | undefined): string | undefined {
  const [only, ...others] = Object.entries(membersOf(description, schema));
  if (only === undefined || others.length > 0) return undefined;
  return Object.keys(membersOf(description, only[1])).length > 0 ? only[0] : undefined;
}
