import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import type { JsonObject } from '@platform-sync/core/model/value';
import { withOwnWords, withSigns } from '@platform-sync/platform/wire';
import { linked } from '@platform-sync/rest/definition-source';
import { typeToken } from '@platform-sync/rest/resource-type';
import { compileAll, type Compilation, type Source } from '@platform-sync/describe/compile';
import { Description } from '@platform-sync/describe/description';
import { findTypes } from '@platform-sync/describe/find-types';
import { readRules } from '@platform-sync/describe/rules-file';
import { style } from '@platform-sync/platform/style';
import { definitions } from './definitions.js';

const root = new URL('../../', import.meta.url);
export const derivedFolder = 'schemas/types/platform/derived';
const sources = ['marked', 'unmarked', 'newest'] as const;

/** Kinds of objects by who names them: the marks of the vendor's Terraform provider, or the paths alone. */
export interface DerivedKinds {
  readonly marked: readonly string[];
  /** Of the marked ones: types with definitions of their own, and those that are left out of the derived ones. */
  readonly proven: readonly string[];
  readonly skipped: readonly string[];
  readonly beyond: readonly string[];
}

export function derivedKinds({ types }: Compilation): DerivedKinds {
  const own = new Set(definitions.map(({ name }) => name.toLowerCase()));
  const derived = types.definitions.map(({ name }) => name);
  const { description, rules } = sourceOf('marked');
  const marked = findTypes(description, rules)
    .map(({ name }) => name)
    .sort();
  return {
    marked,
    proven: marked.filter((name) => own.has(name.toLowerCase())),
    skipped: marked.filter((name) => !derived.includes(name)),
    beyond: derived.filter((name) => !marked.includes(name)),
  };
}

/** All types of the platform's descriptions but the proven ones, which have definitions of their own. */
export function derivedTypes(): Compilation {
  const proven = new Set(definitions.map(({ name }) => name.toLowerCase()));
  return compileAll(sources.map(sourceOf), (name) => proven.has(name.toLowerCase()));
}

function sourceOf(name: (typeof sources)[number]): Source {
  const texts = kept('src/providers/platform/derived/texts.yaml', parse);
  const rules = readRules(
    { ...kept(`src/providers/platform/derived/${name}.rules.yaml`, parse), texts },
    `${name}.rules.yaml`,
  );
  const document = kept(`schemas/descriptions/platform-${name}.json`, JSON.parse);
  return { description: new Description(document, `platform-${name}.json`, rules), rules };
}

function kept(file: string, read: (text: string) => unknown): JsonObject {
  return read(withOwnWords(readFileSync(new URL(file, root), 'utf8'))) as JsonObject;
}

/** How catalogues name them. */
export function derivedNames({
  types,
}: Compilation): readonly { readonly shortToken: string; readonly token: string }[] {
  return types.definitions.map(({ name }) => ({ shortToken: `platform:${name}`, token: typeToken('platform', name) }));
}

/** One file a type, for the program to read when it is used, and the list of them. Path → content. */
export function derivedFiles({ types }: Compilation): ReadonlyMap<string, string> {
  const names = types.definitions.map(({ name }) => name);
  const own = new Set(names);
  return new Map([
    ...linked([...definitions, ...types.definitions], style)
      .filter(({ definition }) => own.has(definition.name))
      .map((each) => [`${derivedFolder}/${each.definition.name}.json`, lineOf(each)] as const),
    [`${derivedFolder}/index.json`, lineOf({ names })],
    [
      `${derivedFolder}/decided.json`,
      lineOf({ decided: types.decided, corrections: types.corrections, overruled: types.overruled }),
    ],
  ]);
}

function lineOf(value: object): string {
  return `${withSigns(JSON.stringify(value))}\n`;
}
