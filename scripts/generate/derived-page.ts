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
  const lists = [...places].sort(([a], [b]) => (a < b ? -1 : 1)).map(([place, there]) => listed(place, there));
  const unlisted = definitions.filter(({ list }) => list === undefined);
  const unending = definitions.filter(({ absence }) => absence === undefined);
  return withSigns(`${pageNotice}# Derived types

The compiler made these ${definitions.length} types from the platform's descriptions ([how](../guides/types.md)). Types in bold are *proven*: they were checked field by field against facts of their own. The first plan that uses any other type says that it is unproven.

\`sync schema TYPE\` prints the fields of a type, what a change replaces, and each correction with its reason.

${lists.join('')}
## Special cases

- The platform has no list of these, so \`adopt\` needs their ids: ${names(unlisted)}.
- The platform never reports these as gone: ${names(unending)}.
- ${kinds.beyond.length} types are beyond the vendor's Terraform provider: ${kinds.beyond.map(code).join(', ')}.
`);
}

function parentOf({ parent, fields }: TypeDefinition): string {
  return fields[parent ?? '']?.references ?? '';
}

function listed(place: string, there: readonly TypeDefinition[]): string {
  const heading = place === '' ? 'At the top' : `Under ${code(place)}`;
  const all = there.map(({ name, proven }) => (proven === true ? `**${code(name)}**` : code(name)));
  return `- ${heading}: ${all.join(', ')}\n`;
}

const names = (definitions: readonly TypeDefinition[]): string => definitions.map(({ name }) => code(name)).join(', ');
