import { withSigns } from '../../src/providers/platform/wire.js';
import type { TypeDefinition } from '../../src/providers/rest/definition.js';
import { updatesOnly } from '../../src/providers/rest/marked-members.js';
import type { Compilation } from '../../src/types-compile/compile.js';
import { argued } from '../facts/argued.js';
import type { DerivedKinds } from './derived-types.js';
import { generatedNotice } from './notice.js';

/** One line a derived type: where it lives, what a change of it does, how it shows that one is gone, what was corrected. */
export function derivedPage({ types }: Compilation, kinds: DerivedKinds): string {
  const rows = types.definitions.map((definition) => {
    const { name, fields, list, absence } = definition;
    const parent = fields[definition.parent ?? '']?.references;
    return [
      `\`platform:${name}\``,
      definition.proven === true ? 'yes' : '',
      parent === undefined ? '' : `\`${parent}\``,
      updates(definition),
      list === undefined ? 'no list' : 'listed',
      absence ?? 'never said to be gone',
      types.corrections[name] ?? '',
    ];
  });
  const head = ['type', 'proven', 'lives in', 'a change', 'found', 'gone is shown by', 'corrected, because'];
  const lines = [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`);
  return withSigns(
    `<!-- ${generatedNotice} -->\n\n# Derived types\n\nRules made these ${rows.length} types out of the platform's descriptions ([how](../guides/types.md)). What is *proven* has facts of its own (\`test/facts\`) and is walked field by field (\`test/derived/fields.test.ts\`); nothing else has proven the others: each plan that uses one for the first time says so. All of them live a whole life in \`test/derived/lives.test.ts\`. \`sync schema TYPE\` prints the fields.\n\n${lines.join('\n')}\n\n${coverage(kinds, types.corrections)}\n${differences()}`,
  );
}

/** What the vendor's Terraform provider manages, by the marks it is generated from, and where that is here. */
function coverage({ marked, proven, skipped, beyond }: DerivedKinds, why: Readonly<Record<string, string>>): string {
  const named = (names: readonly string[]): string => names.map((name) => `\`${name}\``).join(', ');
  const left = skipped.filter((name) => !proven.includes(name));
  const rows = [
    ['kinds that the description marks for that provider', String(marked.length), ''],
    ['… that have types with definitions of their own', String(proven.length), named(proven)],
    ['… that are derived types', String(marked.length - proven.length - left.length), 'the table above'],
    ['… that are none here', String(left.length), left.map((name) => `\`${name}\`: ${why[name] ?? ''}`).join(' ')],
    ['derived types beyond them, from paths alone', String(beyond.length), named(beyond)],
  ];
  return `## Beside the vendor's Terraform provider\n\n${tableOf(['what', 'how many', 'which'], rows)}\nKind by kind, with what a change does there, and beside its command line: [vendor-tools.md](vendor-tools.md).\n`;
}

function differences(): string {
  const rows = argued.map(([fields, what, why]) => [fields.map((field) => `\`${field}\``).join(', '), what, why]);
  return `## Otherwise than the description plainly says\n\nOf each field \`test/facts\` compares whether a change updates or replaces (*action*), whether it is *required* and whether it is a *secret* with what another program reads in the descriptions. They are the same but here:\n\n${tableOf(['field', 'what', 'why'], rows)}`;
}

function tableOf(head: readonly string[], rows: readonly (readonly string[])[]): string {
  return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |\n`).join('');
}

function updates({ operations: { update }, fields }: TypeDefinition): string {
  if (update === undefined) return 'replaces';
  const replacing = Object.entries(fields).filter(([, { replaces }]) => replaces !== undefined);
  const partly = Object.entries(fields).flatMap(([name, { type = 'string' }]) => {
    const limits = updatesOnly(type);
    if (limits === undefined) return [];
    const { kinds = {}, fixed = [] } = limits;
    const taken = Object.entries(kinds).map(([path, names]) => `${path} ${names.join(' or ')} updates`);
    const not = fixed.map((path) => `${path} replaces`);
    return [`${name} (${[...taken, ...not].join(', ')})`];
  });
  return [
    update.startsWith('PUT') ? 'updates the whole' : 'updates',
    ...(replacing.length === 0 ? [] : [`replaces: ${replacing.map(([name]) => name).join(', ')}`]),
    ...(partly.length === 0 ? [] : [`replaces in part: ${partly.join(', ')}`]),
  ].join('; ');
}
