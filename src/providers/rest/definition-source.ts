import type { TypeDefinition } from './definition.js';
import { collectionScope, restType, type RestType } from './rest-type.js';
import type { RestStyle } from './style.js';

/** A definition, and what others say about it. */
export interface LinkedDefinition {
  readonly definition: TypeDefinition;
  /** Names of the types that the platform deletes together with an object of this one. */
  readonly cascades: readonly string[];
  /** Names of the types whose objects live in an object of this one, by their path or because they die with it. */
  readonly contents?: readonly string[];
}

/** Where a provider's definitions come from; each is asked for when its type is first used. */
export interface DefinitionSource {
  readonly names: readonly string[];
  load(name: string): LinkedDefinition;
}

/** Definitions at hand. Throws on two of one name, and on one that refers to a type that is not there. */
export function definitionsAtHand(definitions: readonly TypeDefinition[], style: RestStyle): DefinitionSource {
  const byName = new Map(linked(definitions, style).map((each) => [each.definition.name, each]));
  return {
    names: [...byName.keys()],
    load: (name) => {
      const found = byName.get(name);
      if (found === undefined) throw new Error(`bug: no definition of ${name}`);
      return found;
    },
  };
}

/** Definitions with what they say about each other turned round: a child says what it dies with. */
export function linked(definitions: readonly TypeDefinition[], style: RestStyle): readonly LinkedDefinition[] {
  const names = definitions.map(({ name }) => name);
  const twice = names.find((name, at) => names.indexOf(name) !== at);
  if (twice !== undefined) throw new Error(`there are two definitions of ${twice}`);
  const cascades = new Map<string, string[]>(names.map((name) => [name, []]));
  const contents = new Map<string, Set<string>>(names.map((name) => [name, new Set()]));
  const types = new Map(definitions.map((definition) => [definition.name, restType(definition, style)]));
  for (const [name, rest] of types) {
    for (const [field, { references, diesWith }] of Object.entries(rest.fields)) {
      if (references === undefined) continue;
      const dying = cascades.get(references);
      if (dying === undefined) throw new Error(`${name}.${field} refers to ${references}, which is not defined`);
      if (diesWith === true) dying.push(name);
      if (diesWith === true || field === rest.parent) contents.get(references)?.add(name);
    }
    checkListPlace(rest);
  }
  return definitions.map((definition) => {
    const inside = [...(contents.get(definition.name) ?? [])];
    return {
      definition,
      cascades: cascades.get(definition.name) ?? [],
      ...(inside.length === 0 ? {} : { contents: inside }),
    };
  });
}

/** What stands in the path of a list says where its objects are: a field that people declare. */
function checkListPlace(rest: RestType): void {
  const { definition, fields } = rest;
  const stray = collectionScope(rest).find((field) => fields[field] === undefined || fields[field].output);
  if (stray !== undefined)
    throw new Error(`${definition.name}: its list lies in "${stray}", and it has no field of that name`);
}
