import { importIdForm } from '../../src/engine/model/import-id.js';
import type { FieldRule, ResourceType } from '../../src/engine/model/resource-type.js';
import { importExamples, resourceExamples } from './examples.js';
import { code, fence, limitWords, table, typeWords } from './markdown.js';
import { pageNotice } from './notice.js';

/** docs/reference/<Resource>.md */
export function resourcePage(type: ResourceType, types: ReadonlyMap<string, ResourceType>): string {
  const fields = Object.values(type.fields);
  const sections = [
    `${pageNotice}# ${type.name}\n`,
    `${type.description}\n`,
    `Type ${code(type.shortToken)}, in full ${code(type.token)}.\n`,
    `## Example\n\n${fence('yaml', resourceExamples[type.shortToken] ?? leastExample(type))}`,
    `## What you write\n\n${inputTable(fields.filter((rule) => rule.input))}`,
    `## What the platform adds\n\n${outputTable(fields.filter((rule) => rule.computed))}`,
    `## Rules\n\n${rules(type, types)
      .map((rule) => `- ${rule}\n`)
      .join('')}`,
    `## Import\n\n${importText(type)}`,
  ];
  return sections.join('\n');
}

/** What must be there, for a type that nobody wrote an example for. */
function leastExample(type: ResourceType): string {
  const required = Object.values(type.fields).filter((rule) => rule.required);
  const lines = required.map(({ name }) => `      ${name}: …\n`).join('');
  return `resources:\n  example:\n    type: ${type.shortToken}\n${lines === '' ? '' : `    properties:\n${lines}`}`;
}

function inputTable(fields: readonly FieldRule[]): string {
  const head = ['Field', 'Type', 'Required', 'On change', 'When removed from the file', 'About'];
  return table(
    head,
    fields.map((rule) => [
      code(rule.name),
      typeWords(rule.schema),
      rule.required ? 'yes' : 'no',
      onChange[rule.onChange],
      rule.required ? '–' : clearing(rule),
      about(rule),
    ]),
  );
}

function outputTable(fields: readonly FieldRule[]): string {
  const id = [code('id'), 'text', 'yes', 'Identifier of the object.'];
  const rows = fields.map((rule) => [
    code(rule.name),
    typeWords(rule.schema),
    rule.alwaysReturned ? 'yes' : 'not promised',
    about(rule),
  ]);
  return `Refer to these, and to all fields above, as \`\${address.field}\`.\n\n${table(['Field', 'Type', 'In every answer', 'About'], [id, ...rows])}`;
}

const onChange: Readonly<Record<FieldRule['onChange'], string>> = {
  update: 'updates',
  replace: '**replaces**',
  'replace-if-declared': '**replaces**; removing the line does not',
};

function clearing(rule: FieldRule): string {
  if (rule.onChange === 'replace') return 'replaces';
  switch (rule.clearing.by) {
    case 'null':
      return rule.nullIsValue === true ? 'goes back to what the platform would choose' : 'is cleared';
    case 'value':
      return `goes back to ${code(JSON.stringify(rule.clearing.value))}`;
    case 'derived':
      return 'goes back to what the platform would choose';
    case 'nothing':
      return `stays as it is: ${rule.clearing.why}`;
  }
}

function about(rule: FieldRule): string {
  return [
    rule.description,
    ...(rule.writeOnly ? ['The platform never shows it again, so a change made elsewhere is not seen.'] : []),
    ...(rule.equality in equality ? [equality[rule.equality] ?? ''] : []),
    ...(rule.deprecated === undefined ? [] : [`**Deprecated.** ${rule.deprecated}`]),
    ...(limitWords(rule.schema).length === 0 ? [] : [`Limits: ${limitWords(rule.schema).join('; ')}.`]),
  ].join(' ');
}

const equality: Readonly<Record<string, string>> = {
  text: 'Trailing white space does not count.',
  document: 'Two spellings of one document, YAML or JSON, are the same; the order of keys does not count.',
  set: 'Order does not count.',
  multisets: 'The order of a list does not count, and one text stands for a list of one.',
  policy: 'An object or its JSON text; the order of bindings and members does not count.',
};

function rules(type: ResourceType, types: ReadonlyMap<string, ResourceType>): readonly string[] {
  const link = (token: string): string => `[${types.get(token)?.name ?? token}](${types.get(token)?.name ?? token}.md)`;
  return [
    ...type.nesting.map(
      ({ under, field, inherits }) =>
        `May be written under \`children:\` of ${link(under)}; ${[field, ...inherits].map(code).join(' and ')} then ${inherits.length > 0 ? 'are' : 'is'} filled in.`,
    ),
    ...(type.nameField === undefined ? [] : [`${code(type.nameField)} defaults to the resource's key in the file.`]),
    ...type.exactlyOne.map((group) => `Exactly one of ${group.map(code).join(' and ')} must be there.`),
    ...type.unique.map((group) => `No two may have the same ${group.map(code).join(' and ')}.`),
    `Known to people, and found again when state is lost, by ${type.naturalKey.map(code).join(', ')}.`,
    ...(type.guardedEnd === undefined
      ? []
      : [
          `Deleting or replacing one takes \`--allow delete:ADDRESS\` or \`replace:ADDRESS\`, protected or not: ${type.guardedEnd}.`,
        ]),
    ...(type.updatable ? [] : ['There is no update: every change deletes the object and creates it anew.']),
    ...(type.parent === undefined ? [] : [`Can't move to another ${link(type.parent.type)}: that replaces it.`]),
    ...(type.cascades.length === 0
      ? []
      : [`Deleting one deletes its ${type.cascades.map(link).join(' and ')} objects with it.`]),
    ...(type.losses.length === 0
      ? []
      : [`Deleting one ends its ${type.losses.map(({ field }) => code(field)).join(' and ')}; a plan lists them.`]),
  ];
}

function importText(type: ResourceType): string {
  const address = type.parent === undefined ? 'petstore' : 'petstore/guide';
  const id = '9f5061ce-78f6-4452-9108-ad7c02821fd5';
  const own = importExamples[type.shortToken];
  if (own !== undefined) return `${own.about}\n\n${fence('sh', own.command)}`;
  if (type.importId.form === 'plain') {
    return `The id is the identifier as plain text.\n\n${fence('sh', `sync import ${address} ${id}`)}`;
  }
  const part = (field: string): string => (field === 'id' ? 'de5c9818-be5c-42e6-b514-e3d4bc30ddeb' : id);
  const example = fence('sh', `sync import ${address} '${importIdForm(type.importId, part)}'`);
  if (type.importId.form === 'text') return `The id has the form ${code(type.importId.template)}.\n\n${example}`;
  const keys = Object.keys(type.importId.keys);
  return `The id is a JSON object with the keys ${keys.map(code).join(' and ')}.\n\n${example}`;
}
