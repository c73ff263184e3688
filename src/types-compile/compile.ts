import type { Diagnostic } from '../engine/model/diagnostic.js';
import { defined } from '../engine/model/defined.js';
import { isObject } from '../engine/model/value.js';
import type { TypeDefinition } from '../providers/rest/definition.js';
import type { RestStyle } from '../providers/rest/style.js';
import { linked } from '../providers/rest/definition-source.js';
import { compileType, type Made } from './compile-type.js';
import { correctionOf, mustBeMade, mustFit, reasonsOf } from './corrections.js';
import type { Description } from './description.js';
import { opened } from './enveloped.js';
import { type DecidedBy, answerOf, namedMember } from './body-fields.js';
import { findTypes } from './find-types.js';
import { merged } from './merge.js';
import { placesOf } from './place.js';
import { refused } from './read-document.js';
import type { Overruled } from './overruled.js';
import type { Rules } from './rules-file.js';
import { plainPath, type TypeSite } from './type-site.js';

/** What `types compile` writes. */
interface CompiledTypes {
  readonly formatVersion: 1;
  readonly definitions: readonly TypeDefinition[];
  /** Type → field → the rule that decided. */
  readonly decided: Readonly<Record<string, Readonly<Record<string, DecidedBy>>>>;
  /** `Type` or `Type.field` → the reason of its correction. */
  readonly corrections: Readonly<Record<string, string>>;
  /** Type → field, or nothing for the type itself → what rules had said before it was corrected. Left out by earlier versions. */
  readonly overruled?: Readonly<Record<string, Readonly<Record<string, Overruled>>>>;
}

export interface Compilation {
  readonly types: CompiledTypes;
  /** What no rule decides, as warnings. */
  readonly open: readonly Diagnostic[];
}

/** A description with what people know about it. */
export interface Source {
  readonly description: Description;
  readonly rules: Rules;
}

/** Definitions of every type that a description has. Throws DiagnosticError for a description that can't be followed. */
export function compileTypes(description: Description, rules: Rules): Compilation {
  return compileAll([{ description, rules }]);
}

/**
 * Several descriptions of one service: a type in two of them is one type, that of the first. `isKnown` types have
 * definitions elsewhere; others may refer to them.
 */
export function compileAll(sources: readonly Source[], isKnown: (type: string) => boolean = () => false): Compilation {
  const made = compiledTypes(sources);
  const kept = made.filter(({ definition }) => !isKnown(definition.name));
  const sorted = kept.map(({ definition }) => definition).sort((a, b) => (a.name < b.name ? -1 : 1));
  return {
    types: {
      formatVersion: 1,
      definitions: withoutStrayReferences(sorted, isKnown),
      decided: Object.fromEntries(
        kept.map(({ definition, fields }) => [
          definition.name,
          Object.fromEntries(fields.map(({ name, rule }) => [name, rule])),
        ]),
      ),
      corrections: Object.assign({}, ...sources.map(({ rules }) => reasonsOf(rules))) as Record<string, string>,
      overruled: Object.fromEntries(
        kept.flatMap(({ definition: { name }, overruled }) =>
          Object.keys(overruled).length === 0 ? [] : [[name, overruled]],
        ),
      ),
    },
    open: kept.flatMap(({ open }) => open),
  };
}

function compiledTypes(sources: readonly Source[]): readonly Made[] {
  const found = new Map<string, Source & { readonly site: TypeSite }>();
  for (const { description, rules } of sources) {
    const sites = findTypes(description, rules).map((site) => opened(description, site));
    mustBeMade(
      rules,
      sites.map(({ create }) => create[1]),
    );
    for (const site of sites)
      if (correctionOf(rules, site.name)?.skip !== true && !found.has(site.name))
        found.set(site.name, { description, rules, site });
  }
  const all = [...found.values()];
  const sites = all.map(({ site }) => site);
  const placeOf = placesOf(sites, ({ name }) => {
    const own = found.get(name);
    return own !== undefined && hasOwnId(own.description, own.site);
  });
  const byPath = new Map<string, (typeof all)[number][]>();
  for (const each of all) {
    const path = plainPath(each.site.create[1]);
    byPath.set(path, [...(byPath.get(path) ?? []), each]);
  }
  const made = all.map((each) => {
    const { description, rules, site } = each;
    const beside = (byPath.get(plainPath(site.create[1])) ?? []).filter((other) => other !== each);
    return compileType({ description, rules, sites }, site, placeOf(site), beside);
  });
  for (const { rules } of sources)
    mustFit(rules, new Map(made.map(({ definition, fields }) => [definition.name, fields])));
  mustLink(made.map(({ definition }) => definition));
  return made;
}

/** How compiled definitions are read: they say themselves where they differ from it. */
export const compiledStyle: RestStyle = {
  naming: { rule: 'snake_case', names: {} },
  paging: { by: 'none', items: 'data' },
  kinds: {},
};

function hasOwnId(description: Description, site: TypeSite): boolean {
  if (namedMember(description, site) !== undefined) return false;
  const answer = merged(description, answerOf(description, site));
  return (
    site.item.endsWith('}') && site.shape === 'collection' && description.at(answer['properties'])['id'] !== undefined
  );
}

function mustLink(definitions: readonly TypeDefinition[]): void {
  try {
    linked(definitions, compiledStyle);
  } catch (error) {
    throw refused('wrong-correction', error instanceof Error ? error.message : String(error));
  }
}

/** A type that is left out because another definition has its name stays referred to; any other that is not there does not. */
function withoutStrayReferences(
  definitions: readonly TypeDefinition[],
  isKnown: (type: string) => boolean,
): readonly TypeDefinition[] {
  const names = new Set(definitions.map(({ name }) => name));
  const stays = (type: string | undefined): boolean => type === undefined || names.has(type) || isKnown(type);
  return definitions.map((definition) => ({
    ...definition,
    fields: Object.fromEntries(
      Object.entries(definition.fields).map(([name, { references, nests, ...rows }]) => [
        name,
        stays(references) ? { ...rows, ...defined({ references, nests }) } : rows,
      ]),
    ),
  }));
}

/** True for what `types compile` writes. */
export function isCompiled(document: unknown): document is CompiledTypes {
  return isObject(document) && 'definitions' in document && 'formatVersion' in document;
}
