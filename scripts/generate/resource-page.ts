import { importIdForm } from '@platform-sync/core/model/import-id';
import type { FieldRule, ResourceType } from '@platform-sync/core/model/resource-type';
import { importExamples, resourceExamples } from './examples.js';
import { code, commonFields, fence, fieldItem, limitWords, typeWords } from './markdown.js';
import { pageNotice } from './notice.js';

/** docs/reference/<Resource>.md */
export function resourcePage(type: ResourceType, types: ReadonlyMap<string, ResourceType>): string {
  const fields = Object.values(type.fields);
  const sections = [
    `${pageNotice}# ${type.name}\n`,
    `${type.description}\n`,
    `${code(type.shortToken)} (${code(type.token)}). [Legend](README.md#how-to-read-a-page)\n`,
    `## Example\n\n${fence('yaml', resourceExamples[type.shortToken] ?? leastExample(type))}`,
    `## What you write\n\n${inputWords(fields.filter((rule) => rule.input))}`,
    ...outputSection(fields.filter((rule) => rule.computed)),
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

function inputWords(fields: readonly FieldRule[]): string {
  return fields
    .map((rule) => fieldItem(rule.name, typeWords(rule.schema), change(rule), about(rule), cleared(rule)))
    .join('');
}

/** None for what has just the fields that every object has. */
function outputSection(fields: readonly FieldRule[]): readonly string[] {
  const isCommon = ({ name, description }: FieldRule): boolean => commonFields[name] === description;
  const common = new Set(['id', ...fields.filter(isCommon).map(({ name }) => name)]);
  const items = fields
    .filter((rule) => !isCommon(rule))
    .map((rule) =>
      fieldItem(rule.name, typeWords(rule.schema), about(rule), rule.alwaysReturned ? '' : 'May be absent.'),
    );
  if (items.length === 0 && common.size === Object.keys(commonFields).length) return [];
  return [`## What the platform adds\n\n${items.join('')}- ${[...common].map(code).join(', ')}\n`];
}

/** What a field says otherwise than most: that it must be there, that it replaces. */
function change(rule: FieldRule): string {
  const replaces = rule.onChange === 'update' ? '' : '**Replaces.**';
  return rule.required ? `**Required.** ${replaces}`.trimEnd() : replaces;
}

function cleared(rule: FieldRule): string {
  if (rule.required || rule.onChange === 'replace') return '';
  switch (rule.clearing.by) {
    case 'null':
      return rule.nullIsValue === true ? 'Default: the platform chooses.' : '';
    case 'value':
      return `Default: ${code(JSON.stringify(rule.clearing.value))}.`;
    case 'derived':
      return 'Default: the platform chooses.';
    case 'nothing':
      return `Stays when removed: ${rule.clearing.why}.`;
  }
}

function about(rule: FieldRule): string {
  return [
    rule.description,
    ...(rule.writeOnly ? ['Never shown again.'] : []),
    ...(rule.equality in equality ? [equality[rule.equality] ?? ''] : []),
    ...(rule.deprecated === undefined ? [] : [`**Deprecated.** ${rule.deprecated}`]),
    ...(limitWords(rule.schema).length === 0 ? [] : [`Limits: ${limitWords(rule.schema).join('; ')}.`]),
  ].join(' ');
}

const equality: Readonly<Record<string, string>> = {
  text: 'Ignores trailing white space.',
  document: 'YAML and JSON of the same content are equal; the order of keys is ignored.',
  set: 'Order is ignored.',
  multisets: 'Order is ignored, and one text equals a list of one.',
  policy: 'An object or its JSON text; the order of bindings and members is ignored.',
};

function rules(type: ResourceType, types: ReadonlyMap<string, ResourceType>): readonly string[] {
  const link = (token: string): string => `[${types.get(token)?.name ?? token}](${types.get(token)?.name ?? token}.md)`;
  return [
    ...type.nesting.map(
      ({ under, field, inherits }) =>
        `Under \`children:\` of ${link(under)}, ${[field, ...inherits].map(code).join(' and ')} ${inherits.length > 0 ? 'are' : 'is'} filled in.`,
    ),
    ...(type.nameField === undefined ? [] : [`${code(type.nameField)} defaults to the resource's key in the file.`]),
    ...type.exactlyOne.map((group) => `Exactly one of ${group.map(code).join(' and ')} must be there.`),
    ...type.unique.map((group) => `No two may have the same ${group.map(code).join(', ')}.`),
    ...(type.unique.some((group) => group.join() === type.naturalKey.join())
      ? []
      : [`Found without state by ${type.naturalKey.map(code).join(', ')}.`]),
    ...(type.guardedEnd === undefined
      ? []
      : [
          `Deleting or replacing one always needs \`--allow delete:ADDRESS\` or \`--allow replace:ADDRESS\`: ${type.guardedEnd}.`,
        ]),
    ...(type.updatable ? [] : ['The platform has no update: every change replaces the object.']),
    ...(type.cascades.length === 0 ? [] : [`Deleting one also deletes its ${type.cascades.map(link).join(', ')}.`]),
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
    return fence('sh', `sync adopt ${address} ${id}`);
  }
  const part = (field: string): string => (field === 'id' ? 'de5c9818-be5c-42e6-b514-e3d4bc30ddeb' : id);
  const example = fence('sh', `sync adopt ${address} '${importIdForm(type.importId, part)}'`);
  if (type.importId.form === 'text') return `The id has the form ${code(type.importId.template)}.\n\n${example}`;
  return example;
}
