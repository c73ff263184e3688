import { DiagnosticError, type Diagnostic } from '@platform-sync/core/model/diagnostic';
import { defined, isObject } from '@platform-sync/core/model/value';
import type { TypeDefinition } from '@platform-sync/rest/definition';
import { wrongShape } from '@platform-sync/rest/definition-shape';
import type { RestStyle } from '@platform-sync/rest/style';
import { linked } from '@platform-sync/rest/definition-source';
import { compileType, type Made } from './compile-type.js';
import { correctionOf, reasonsOf, strayCorrections, strayNames } from './corrections.js';
import type { Correction } from './correction.js';
import type { Description } from './description.js';
import { opened } from './enveloped.js';
import type { DecidedBy } from './body-fields.js';
import { findTypes } from './find-types.js';
import { ownIdOf, ownMembers } from './own-id.js';
import { placesOf } from './place.js';
import { wrongCorrection } from './read-document.js';
import { openAbsence, unfit } from './open-items.js';
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
  const all = made.filter(({ definition }) => !isKnown(definition.name));
  const kept = all.filter(({ wrong }) => wrong.length === 0);
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
    open: [
      ...sources.flatMap(({ description }) => description.unfollowed),
      ...all.filter(({ wrong }) => wrong.length > 0).map(({ definition, wrong }) => unfit(definition.name, wrong)),
      ...openAbsence(kept),
      ...kept.flatMap(({ open }) => open),
    ],
  };
}

type MadeOf = Made & Source & { readonly site: TypeSite; readonly correction: Correction | undefined };
/** With why nothing can be made of it. */
type Judged = MadeOf & { readonly wrong: readonly string[] };

function compiledTypes(sources: readonly Source[]): readonly Judged[] {
  const problems: Diagnostic[] = [];
  const found = new Map<string, Source & { readonly site: TypeSite }>();
  for (const { description, rules } of sources) {
    const sites = findTypes(description, rules).map((site) => opened(description, site));
    problems.push(
      ...strayNames(
        rules,
        sites.map(({ create }) => create[1]),
      ),
    );
    for (const site of sites)
      if (correctionOf(rules, site.name)?.skip !== true && !found.has(site.name))
        found.set(site.name, { description, rules, site });
  }
  const all = [...found.values()];
  const sites = all.map(({ site }) => site);
  const ownOf = ({ name }: TypeSite): string | undefined => {
    const own = found.get(name);
    const id = own === undefined ? undefined : ownIdOf(own.description, own.site);
    return id === undefined
      ? undefined
      : id.by === 'service'
        ? 'id'
        : id.wire === 'id'
          ? undefined
          : own?.description.nameOf(id.wire);
  };
  const placeOf = placesOf(sites, ownOf, ({ name }) => {
    const own = found.get(name);
    return own === undefined ? new Set() : ownMembers(own.description, own.site);
  });
  const byPath = new Map<string, (typeof all)[number][]>();
  for (const each of all) {
    const path = plainPath(each.site.create[1]);
    byPath.set(path, [...(byPath.get(path) ?? []), each]);
  }
  const made = all.map((each) => {
    const { description, rules, site } = each;
    const beside = (byPath.get(plainPath(site.create[1])) ?? []).filter((other) => other !== each);
    const type = compileType({ description, rules, sites }, site, placeOf(site), beside);
    return { ...type, ...each, correction: correctionOf(rules, site.name) };
  });
  const known = new Map(made.map(({ definition, fields }) => [definition.name, fields]));
  for (const { rules } of sources) problems.push(...strayCorrections(rules, known));
  const judged = made.map((type) => ({ ...type, wrong: wrongDefinition(type.definition) }));
  for (const { wrong, definition, correction } of judged)
    if (correction !== undefined)
      problems.push(...wrong.map((what) => wrongCorrection(`${definition.name}: ${what}.`)));
  if (problems.length > 0) throw new DiagnosticError(problems);
  return judged;
}

/** Why nothing can be made of a definition: what it holds, or that it contradicts itself. */
function wrongDefinition(definition: TypeDefinition): readonly string[] {
  const { hooks: _, ...plain } = definition;
  const wrong = wrongShape(plain);
  if (wrong.length > 0) return wrong;
  try {
    const others = Object.values({ ...definition.fields, ...definition.outputs }).flatMap(
      ({ references }) => references ?? [],
    );
    const named = [...new Set(others)].filter((name) => name !== definition.name);
    linked([definition, ...named.map((name) => ({ ...nothing, name }))], compiledStyle);
    return [];
  } catch (error) {
    return [error instanceof Error ? error.message.replace(`${definition.name}: `, '') : String(error)];
  }
}

/** Stands for a type that another refers to. */
const nothing: Omit<TypeDefinition, 'name'> = {
  ...{ description: '', operations: { create: 'POST /' }, fields: {}, naturalKey: [] },
};

/** How compiled definitions are read: they say themselves where they differ from it. */
export const compiledStyle: RestStyle = {
  naming: { rule: 'snake_case', names: {} },
  paging: { by: 'none', items: 'data' },
  kinds: {},
};

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
