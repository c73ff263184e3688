import { withSigns } from '../../src/providers/platform/wire.js';
import type { TypeDefinition } from '../../src/providers/rest/definition.js';
import type { Compilation } from '../../src/types-compile/compile.js';
import { generatedNotice } from './notice.js';

/** One line a derived type: where it lives, what a change of it does, how it shows that one is gone, what was corrected. */
export function derivedPage({ types }: Compilation): string {
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
    `<!-- ${generatedNotice} -->\n\n# Derived types\n\nRules made these ${rows.length} types out of the platform's descriptions ([how](../guides/types.md)). What is *proven* has facts of its own (\`test/facts\`) and is walked field by field (\`test/derived/fields.test.ts\`); nothing else has proven the others: each plan that uses one for the first time says so. All of them live a whole life in \`test/derived/lives.test.ts\`. \`sync schema TYPE\` prints the fields.\n\n${lines.join('\n')}\n`,
  );
}

function updates({ operations: { update }, fields }: TypeDefinition): string {
  if (update === undefined) return 'replaces';
  const replacing = Object.entries(fields).filter(([, { replaces }]) => replaces !== undefined);
  const how = update.startsWith('PUT') ? 'updates the whole' : 'updates';
  return replacing.length === 0 ? how : `${how}; replaces: ${replacing.map(([name]) => name).join(', ')}`;
}
