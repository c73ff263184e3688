import type { JsonObject } from '../../src/engine/model/value.js';
import type { Package } from './packages.js';
import { lookupPage } from './lookup-page.js';
import { code, table } from './markdown.js';
import { pageNotice } from './notice.js';
import { resourcePage } from './resource-page.js';

/** The pages of docs/reference/: one for each resource type and lookup, and the list of them. */
export function referencePages(
  packages: readonly Package[],
  results: ReadonlyMap<string, JsonObject>,
): ReadonlyMap<string, string> {
  const pages = new Map<string, string>([['docs/reference/README.md', indexPage(packages)]]);
  for (const { types, lookups } of packages) {
    for (const type of types.values()) pages.set(`docs/reference/${type.name}.md`, resourcePage(type, types));
    for (const lookup of lookups.values()) {
      const result = results.get(lookup.shortToken) ?? {};
      pages.set(`docs/reference/${lookup.name}.md`, lookupPage(lookup, result));
    }
  }
  return pages;
}

function indexPage(packages: readonly Package[]): string {
  return `${pageNotice}# Reference\n\nWhat a catalogue may hold. Each page is made from the same schema that \`sync validate\` checks against.\n\n${packages.map(section).join('\n')}`;
}

function section({ name, schema, types, lookups, settings }: Package): string {
  const listed = (all: ReadonlyMap<string, { name: string; shortToken: string; description: string }>): string =>
    table(
      ['Name', 'Token', 'About'],
      [...all.values()].map((each) => [`[${each.name}](${each.name}.md)`, code(each.shortToken), each.description]),
    );
  const configured = Object.entries(settings).map(([setting, { secret, description, env }]) => [
    code(setting),
    env.map(code).join(', ') || '–',
    secret ? 'yes' : 'no',
    description,
  ]);
  return [
    `## Provider ${code(name)}\n\n${schema.description}\n`,
    ...(types.size === 0 ? [] : [`### Resources\n\n${listed(types)}`]),
    `### Lookups\n\n${listed(lookups)}`,
    `### Settings\n\nThey stand under \`providers.${name}\` in sync.yaml. A secret comes from the environment, never from a literal in the file.\n\n${table(['Setting', 'Environment', 'Secret', 'About'], configured)}`,
  ].join('\n');
}
