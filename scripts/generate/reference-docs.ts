import type { Package } from './packages.js';
import { lookupPage } from './lookup-page.js';
import { code, table } from './markdown.js';
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
  return `${pageNotice}# Reference\n\nAll types and lookups of a catalogue. \`sync validate\` checks against the same schemas. \`sync schema TYPE\` prints a page in the terminal, also for the [derived types](derived.md) of the rest of the platform; [the vendor's own tools](vendor-tools.md) compares names.\n\n${packages.map(section).join('\n')}`;
}

function section({ name, schema, types, lookups, settings }: Package): string {
  const listed = (all: ReadonlyMap<string, { name: string; shortToken: string; description: string }>): string =>
    table(
      ['Name', 'About'],
      [...all.values()].map((each) => [`[${code(each.shortToken)}](${each.name}.md)`, each.description]),
    );
  const configured = Object.entries(settings).map(([setting, { secret, description, env }]) => [
    code(setting),
    env.map(code).join(', ') || '–',
    `${secret ? 'Secret. ' : ''}${description}`,
  ]);
  return [
    `## Provider ${code(name)}\n\n${schema.description}\n`,
    ...(types.size === 0 ? [] : [`### Resources\n\n${listed(types)}`]),
    `### Lookups\n\n${listed(lookups)}`,
    `### Settings\n\nUnder \`providers.${name}\` in sync.yaml. Secrets come from the environment.\n\n${table(['Setting', 'Environment', 'About'], configured)}`,
  ].join('\n');
}
