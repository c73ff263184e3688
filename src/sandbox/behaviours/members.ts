import { type Json, type JsonObject, isJsonObject } from '../json.js';
import { type InvalidParameter, conflict, invalid, missingReference } from '../problem.js';
import { reservedLabelPrefixes } from '../wire.js';
import type { Behaviour, Step } from './behaviour.js';

type Preset = Json | ((object: JsonObject, step: Step) => Json);

/** What members of a new object are where the request leaves them out. */
export function presets(values: Readonly<Record<string, Preset>>): Behaviour {
  return {
    settle: (object, step) => {
      if (step.before !== undefined) return object;
      const left = Object.entries(values).filter(([name]) => step.given[name] === undefined);
      const filled = left.map(([name, value]): [string, Json] => [
        name,
        typeof value === 'function' ? value(object, step) : value,
      ]);
      return { ...object, ...Object.fromEntries(filled) };
    },
  };
}

/** What a null stands for. */
export function nulls(values: JsonObject): Behaviour {
  return {
    settle: (object) => {
      const none = Object.entries(values).filter(([name]) => object[name] === null);
      return { ...object, ...Object.fromEntries(none) };
    },
  };
}

/** No two siblings share all of the members. What stays as it was collides with nobody. */
export function unique(members: readonly [string, ...string[]], told: (object: JsonObject) => string): Behaviour {
  return {
    settle: (object, { siblings, place, own, before }) => {
      if (before !== undefined && members.every((name) => before[name] === object[name])) return object;
      const [first] = members;
      const taken = siblings
        .find(place, first, String(object[first]))
        .some(
          (other) => other['id'] !== own && members.every((name) => (other[name] ?? null) === (object[name] ?? null)),
        );
      if (taken) throw conflict(told(object));
      return object;
    },
  };
}

export const uniqueName = unique(['name'], ({ name }) => `name: "${String(name)}" already exists`);

/** A member that names an object of another collection, or none. */
export function refers(member: string, kind: string): Behaviour {
  return {
    settle: (object, { world }) => {
      const id = object[member];
      if (typeof id === 'string' && world.rows(kind).get(id) === undefined) throw missingReference(member);
      return object;
    },
  };
}

const mostLabels = 50;

/** Labels: keys of their own form, no more than so many, also after a change; a null takes one off what is there. */
export function labels(...members: readonly string[]): Behaviour {
  return {
    settle: (object, { given, before }) => {
      const found = members.flatMap((name) => labelProblems(name, given[name], before === undefined));
      if (found.length > 0) throw invalid(...found);
      const kept = members.map((name): [string, Json] => [name, object[name] ?? {}]);
      for (const [field, value] of kept) if (Object.keys(value as JsonObject).length > mostLabels) throw tooMany(field);
      return { ...object, ...Object.fromEntries(kept) };
    },
  };
}

function tooMany(field: string): Error {
  const reason = `${field} must have at most ${String(mostLabels)} entries`;
  return invalid({ field, rule: 'max_items', maximum: mostLabels, reason, source: 'body' });
}

function labelProblems(member: string, given: Json | undefined, isNew: boolean): readonly InvalidParameter[] {
  return Object.entries(isJsonObject(given) ? given : {}).flatMap(([key, value]) => {
    const field = `${member}.${key}`;
    const prefix = reservedLabelPrefixes.find((reserved) => key.startsWith(reserved));
    if (isNew && value === null)
      return [{ field, rule: 'is_string', reason: `${field} must be a string`, source: 'body' as const }];
    if (key.length >= 1 && key.length <= 63 && prefix === undefined) return [];
    const reason =
      prefix === undefined ? 'a label key has 1 to 63 characters' : `a label key must not start with "${prefix}"`;
    return [{ field, rule: 'is_label', reason, source: 'body' as const }];
  });
}
