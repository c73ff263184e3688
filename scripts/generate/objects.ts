import { shownFields } from '@platform-sync/core/lookups/by-rule';
import type { ResourceType } from '@platform-sync/core/model/resource-type';
import { isList, isObject, type Json, type JsonObject } from '@platform-sync/core/model/value';
import { withSigns } from '@platform-sync/platform/wire';
import { generatedNotice } from './notice.js';

/** What programs find of every type, a line each: the ids above an object, and its fields; what is inside a record is JSON. */
export function objectsModule(types: readonly ResourceType[]): string {
  const lines = types.map((type) => {
    const place = type.collection.scope.map((field) => `readonly ${field}: string;`);
    const fields = shownFields(type, 'one')
      .filter(({ name }) => name !== 'id')
      .map(
        ({ name, schema, alwaysReturned }) =>
          `readonly ${name}${alwaysReturned ? '' : '?'}: ${typeText(schema, alwaysReturned)};`,
      );
    return `  readonly '${type.shortToken}': { place: { ${place.join(' ')} }; object: { readonly id: string; ${fields.join(' ')} } };`;
  });
  return `// ${generatedNotice}
import type { Json } from '@platform-sync/core/model/value';

type Texts = Readonly<Record<string, string>>;
type Members = Readonly<Record<string, Json>>;

/** By type: what says where its objects lie, and what is shown of one. */
// prettier-ignore
export type Objects = {
${lines.join('\n')}
};
`;
}

function typeText(schema: JsonObject, isThere: boolean): string {
  const text = plainText(schema);
  return isThere || text === 'Json' ? text : `${text} | null`;
}

function plainText(schema: JsonObject): string {
  const choices = schema['enum'];
  // The service's own words stand in no file but those of its wire.
  if (isList(choices) && choices.every((each) => withSigns(String(each)) === each))
    return choices.map((each) => JSON.stringify(each)).join(' | ');
  switch (schema['type'] as Json) {
    case 'string':
    case 'boolean':
      return String(schema['type']);
    case 'integer':
    case 'number':
      return 'number';
    case 'array':
      return `readonly ${inParentheses(isObject(schema['items']) ? plainText(schema['items'] as JsonObject) : 'Json')}[]`;
    case 'object':
      return isObject(schema['additionalProperties']) &&
        (schema['additionalProperties'] as JsonObject)['type'] === 'string'
        ? 'Texts'
        : 'Members';
    default:
      return 'Json';
  }
}

function inParentheses(text: string): string {
  return text.includes('|') ? `(${text})` : text;
}
