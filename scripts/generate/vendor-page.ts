import type { ResourceType } from '../../src/engine/model/resource-type.js';
import { withSigns } from '../../src/providers/platform/wire.js';
import type { TypeDefinition } from '../../src/providers/rest/definition.js';
import { definitionsAtHand } from '../../src/providers/rest/definition-source.js';
import { definedTypes } from '../../src/providers/rest/types.js';
import { planHooks } from '../../src/providers/platform/hooks/plan-hooks.js';
import { style } from '../../src/providers/platform/style.js';
import type { Compilation } from '../../src/types-compile/compile.js';
import { commandLineKinds, kindsWithoutType } from '../facts/command-line.js';
import {
  comparedFields,
  placeWhy,
  publishedKinds,
  publishedTypes,
  publishedWithoutType,
  whyOtherwise,
} from '../facts/published.js';
import { definitions } from './definitions.js';
import { code, table } from './markdown.js';
import { pageNotice } from './notice.js';

/** The kinds of the vendor's own tools, each with the type here, and what a change does otherwise there. */
export function vendorPage({ types: { definitions: derived } }: Compilation): string {
  const source = definitionsAtHand([...definitions, ...derived], style);
  const types = [...definedTypes({ provider: 'platform', source, style, hooks: planHooks }).types.values()];
  return withSigns(
    `${pageNotice}# Beside the vendor's own tools\n\nWhat the vendor's Terraform provider and its command line manage, and which types here do. A type that is *proven* has facts and tests of its own, one that is *derived* was made by rules out of the description ([how](../guides/types.md)). ${code('test/facts')} holds all of it against the types.\n\n${provider(types)}\n${changes(types, [...definitions, ...derived])}\n${commandLine(types)}`,
  );
}

function provider(types: readonly ResourceType[]): string {
  const found = publishedTypes(types);
  const rows = publishedKinds.map((kind) => {
    const type = found.get(kind);
    return type === undefined
      ? [code(kind), 'none', publishedWithoutType[kind] ?? '']
      : [code(kind), code(type.shortToken), standing(type)];
  });
  return `## Its Terraform provider\n\n${found.size} of its ${publishedKinds.length} resources have a type here.\n\n${table(['resource', 'type here', ''], rows)}`;
}

function standing({ derived, proven }: ResourceType): string {
  if (derived !== true) return 'defined by hand';
  return proven === true ? 'derived, proven' : 'derived';
}

function changes(types: readonly ResourceType[], all: readonly TypeDefinition[]): string {
  const creates = new Map(all.map(({ name, operations }) => [name, operations.create]));
  const compared = comparedFields(types);
  const different = compared.filter(({ here, there }) => here !== there);
  const words = { update: 'updates', replace: 'replaces' };
  const rows = different.map((each) => [
    code(`${each.type}.${each.field}`),
    words[each.here],
    words[each.there],
    whyOtherwise(each) ?? placeWhy(creates.get(each.type) ?? ''),
  ]);
  return `## What a change does\n\nOf ${compared.length} fields that both have, a change of ${compared.length - different.length} does the same. The others, each with the reason:\n\n${table(['field', 'here', 'there', 'why'], rows)}`;
}

function commandLine(types: readonly ResourceType[]): string {
  const byName = new Map(types.map((type) => [type.name, type]));
  const managed = Object.entries(commandLineKinds).map(([kind, names]) => [
    code(kind),
    names.map((name) => code(byName.get(name)?.shortToken ?? name)).join(', '),
    [...new Set(names.flatMap((name) => byName.get(name) ?? []).map(standing))].join(', '),
  ]);
  const others = Object.entries(kindsWithoutType).map(([kind, why]) => [code(kind), 'none', why]);
  return `## Its command line\n\n${managed.length} of its ${managed.length + others.length} kinds of resources have types here.\n\n${table(['kind', 'types here', ''], [...managed, ...others])}`;
}
