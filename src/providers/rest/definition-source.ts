import type { TypeDefinition } from './definition.js';
import { restType } from './rest-type.js';
import type { RestStyle } from './style.js';

/** A definition, and what others say about it. */
export interface LinkedDefinition {
  readonly definition: TypeDefinition;
  /** Names of the types that the platform deletes together with an object of this one. */
  readonly cascades: readonly string[];
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
  for (const definition of definitions) {
    for (const [field, { references, diesWith }] of Object.entries(restType(definition, style).fields)) {
      if (references === undefined) continue;
      const dying = cascades.get(references);
      if (dying === undefined)
        throw new Error(`${definition.name}.${field} refers to ${references}, which is not defined`);
      if (diesWith === true) dying.push(definition.name);
    }
  }
  return definitions.map((definition) => ({ definition, cascades: cascades.get(definition.name) ?? [] }));
}
