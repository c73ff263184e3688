import { withSigns } from '@platform-sync/platform/wire';
import type { TypeDefinition } from '@platform-sync/rest/definition';
import type { Compilation } from '@platform-sync/describe/compile';
import type { DerivedKinds } from './derived-types.js';
import { groupBy } from '@platform-sync/core/model/graph';
import { code } from './markdown.js';
import { pageNotice } from './notice.js';

/** The derived types by where they live, and what sets some of them apart. `sync schema TYPE` tells the rest. */
export function derivedPage({ types: { definitions } }: Compilation, kinds: DerivedKinds): string {
  const places = groupBy(definitions, parentOf);
  const beyond = new Set(kinds.beyond);
  const word = ({ name, proven, list }: TypeDefinition): string => {
    const marks = `${list === undefined ? '¹' : ''}${beyond.has(name) ? '²' : ''}`;
    return proven === true ? `**${code(name)}**${marks}` : `${code(name)}${marks}`;
  };
  const lists = [...places]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([place, there]) => `- ${headingOf(place)}: ${there.map(word).join(', ')}\n`);
  const unending = definitions.filter(({ absence }) => absence === undefined);
  return withSigns(`${pageNotice}# Derived types

The compiler made these ${definitions.length} types from the platform's descriptions ([how](../guides/types.md)). Types in bold are *proven*: they were checked field by field against facts of their own. The first plan that uses any other type says that it is unproven.

\`sync schema TYPE\` prints the fields of a type, what a change replaces, and each correction with its reason. The platform has no list of a type with ¹, so \`adopt\` needs ids. The ${kinds.beyond.length} with ² are beyond the vendor's Terraform provider. The platform never reports as gone: ${unending.map(({ name }) => code(name)).join(', ')}.

${lists.join('')}`);
}

function parentOf({ parent, fields }: TypeDefinition): string {
  return fields[parent ?? '']?.references ?? '';
}

function headingOf(place: string): string {
  return place === '' ? 'At the top' : `Under ${code(place)}`;
}
