import { groupBy } from '@platform-sync/core/model/graph';
import type { ResourceType } from '@platform-sync/core/model/resource-type';
import { withSigns } from '@platform-sync/platform/wire';
import { definitionsAtHand } from '@platform-sync/rest/definition-source';
import { definedTypes } from '@platform-sync/rest/resource-type';
import { planHooks } from '@platform-sync/platform/hooks/plan-hooks';
import { style } from '@platform-sync/platform/style';
import type { Compilation } from '@platform-sync/describe/compile';
import { commandLineKinds, kindsWithoutType } from '../facts/command-line.js';
import {
  type ComparedField,
  comparedFields,
  publishedKinds,
  publishedTypes,
  publishedWithoutType,
  whyOtherwise,
} from '../facts/published.js';
import { definitions } from './definitions.js';
import { code } from './markdown.js';
import { pageNotice } from './notice.js';

/** What the vendor's own tools manage beside the types here: names that differ, kinds without a type, other changes. */
export function vendorPage({ types: { definitions: derived } }: Compilation): string {
  const source = definitionsAtHand([...definitions, ...derived], style);
  const types = [...definedTypes({ provider: 'platform', source, style, hooks: planHooks }).types.values()];
  return withSigns(
    `${pageNotice}# Beside the vendor's own tools\n\nA resource or kind named \`portal_page\` there is the type \`PortalPage\` here; only other names are listed.\n\n${provider(types)}\n${changes(types)}\n${commandLine(types)}`,
  );
}

function provider(types: readonly ResourceType[]): string {
  const found = publishedTypes(types);
  const pairs = publishedKinds.flatMap((kind) => {
    const type = found.get(kind);
    return type === undefined ? [] : [[kind, [type.name]] as const];
  });
  const missing = publishedKinds.filter((kind) => !found.has(kind));
  return `## Its Terraform provider\n\n${found.size} of its ${publishedKinds.length} resources have a type here.\n\n${otherNames(pairs)}${missing.map((kind) => `- ${code(kind)} has none: ${publishedWithoutType[kind] ?? ''}\n`).join('')}`;
}

/** Only those that the rule of names does not tell. */
function otherNames(pairs: readonly (readonly [kind: string, types: readonly string[]])[]): string {
  return pairs
    .filter(([kind, types]) => types.join().toLowerCase() !== kind.replaceAll('_', ''))
    .map(([kind, types]) => `- ${code(kind)}: ${types.map(code).join(', ')}\n`)
    .join('');
}

const named = ({ type, field }: ComparedField): string => code(`${type}.${field}`);

function changes(types: readonly ResourceType[]): string {
  const compared = comparedFields(types);
  const different = compared.filter(({ here, there }) => here !== there);
  const words = { update: 'updates', replace: 'replaces' };
  const isPlace = (each: ComparedField): boolean => whyOtherwise(each) === undefined;
  const others = different.filter((each) => !isPlace(each));
  const lists = [...groupBy(others, (each) => whyOtherwise(each) ?? '')].map(
    ([why, fields]) => `- ${fields.map(named).join(', ')}: ${words[fields[0]?.here ?? 'update']} here. ${why}\n`,
  );
  const places = different.filter(isPlace).length;
  return `## What a change does\n\nOf ${compared.length} fields that both have, ${compared.length - different.length} behave the same.\n\n- ${places} name an object by its id, or its place. A change replaces here and updates there, although no call moves an object.\n${lists.join('')}`;
}

function commandLine(types: readonly ResourceType[]): string {
  const named = new Map(types.map((type) => [type.name, type]));
  const managed = Object.entries(commandLineKinds).map(
    ([kind, names]) => [kind, names.map((name) => named.get(name)?.name ?? name)] as const,
  );
  const others = Object.entries(kindsWithoutType).map(([kind, why]) => `- ${code(kind)} has none: ${why}\n`);
  return `## Its command line\n\n${managed.length} of its ${managed.length + others.length} kinds have types here.\n\n${otherNames(managed)}${others.join('')}`;
}
