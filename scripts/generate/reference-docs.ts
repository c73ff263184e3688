import type { Package } from './packages.js';
import { lookupPage } from './lookup-page.js';
import { code } from './markdown.js';
import { pageNotice } from './notice.js';
import { resourcePage } from './resource-page.js';

/** The pages of docs/reference/: one for each resource type and lookup, and the list of them. */
export function referencePages(packages: readonly Package[]): ReadonlyMap<string, string> {
  const pages = new Map<string, string>([['docs/reference/README.md', indexPage(packages)]]);
  for (const { types, lookups } of packages) {
    for (const type of types.values()) pages.set(`docs/reference/${type.name}.md`, resourcePage(type, types));
    for (const lookup of lookups.values()) pages.set(`docs/reference/${lookup.name}.md`, lookupPage(lookup));
  }
  return pages;
}

function indexPage(packages: readonly Package[]): string {
  return `${pageNotice}${intro}${packages.map(section).join('\n')}`;
}

const intro = `# Reference

All types and lookups of a catalogue. \`sync schema NAME\` prints the same, also for the [derived types](derived.md) of the rest of the platform. [The vendor's own tools](vendor-tools.md) compares names.

## How to read a page

- A change of a field updates the object, and removing the line clears the field or restores its default. **Required**, **Replaces** and "Stays when removed" mark the others.
- The platform adds \`id\`, \`createdAt\` and \`updatedAt\`, unless the page says otherwise. Refer to every field as \`\${address.field}\`. Fields with \`?\` or "May be absent" are not in every answer.
- "Never shown again" fields are sent, but a change made elsewhere is not noticed.
- Without state, an object is found by the fields that no two may have, unless the page says otherwise.
- The arguments of a lookup come back in its result. Lookups work in a catalogue, on the [command line](../guides/lookups.md#try-it) and in [programs](../sdk.md#lookups).

## Labels

At most 50. Keys have 1 to 63 characters and no prefix that the platform reserves. Values have 1 to 63 characters: letters, digits, \`.\`, \`_\` and \`-\`, with a letter or digit at both ends.

`;

function section({ name, schema, types, lookups, settings }: Package): string {
  const listed = (all: ReadonlyMap<string, { name: string; shortToken: string; description: string }>): string =>
    [...all.values()]
      .map((each) => `- [${code(each.shortToken)}](${each.name}.md): ${firstSentence(each.description)}\n`)
      .join('');
  const named = (all: Package['lookups']): string =>
    [...all.values()].map((each) => `[${code(each.shortToken)}](${each.name}.md)`).join(', ');
  const configured = Object.entries(settings).map(([setting, { secret, description, env }]) => {
    const marks = [...env.map(code), ...(secret ? ['secret'] : [])].join(', ');
    return `- ${code(setting)}${marks === '' ? '' : ` (${marks})`}: ${description}\n`;
  });
  return [
    `## Provider ${code(name)}\n\n${schema.description}\n`,
    ...(types.size === 0 ? [] : [`### Resources\n\n${listed(types)}`]),
    `### Lookups\n\n${named(lookups)}\n`,
    `### Settings\n\nUnder \`providers.${name}\` in sync.yaml. Secrets come from the environment.\n\n${configured.join('')}`,
  ].join('\n');
}

/** The page itself says the rest. */
function firstSentence(text: string): string {
  return text.replace(/(?<=\.) [A-Z][^]*$/, '');
}
