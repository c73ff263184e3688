import { isObject, type Json, type JsonObject } from '@platform-sync/core/model/value';
import { generatedNotice } from './notice.js';

/** The type of settings that obey the rules of sync.yaml; an item that broke one is undefined. */
export function settingsType(rules: JsonObject): string {
  const { parameters: _, stacks: _stacks, defaultStack: _default, ...settings } = member(rules, 'properties');
  const body = recordOf({ properties: settings }, rules);
  return `// ${generatedNotice}\n/** What sync.yaml says for one stack, without what broke a rule. */\nexport type Settings = ${body};\n`;
}

function typeOf(schema: JsonObject, rules: JsonObject): string {
  if (typeof schema['$ref'] === 'string')
    return typeOf(member(member(rules, '$defs'), schema['$ref'].replace('#/$defs/', '')), rules);
  if (Array.isArray(schema['enum'])) return schema['enum'].map((word) => JSON.stringify(word)).join(' | ');
  const kinds = [schema['type'] ?? 'unknown'].flat().map(String);
  return kinds.map((kind) => kindOf(kind, schema, rules)).join(' | ');
}

function kindOf(kind: string, schema: JsonObject, rules: JsonObject): string {
  if (kind === 'array') return `readonly (${typeOf(member(schema, 'items'), rules)} | undefined)[]`;
  if (kind === 'object') return recordOf(schema, rules);
  // A text of which the words are known where it is one.
  if (kind === 'string' && isObject(schema['if'])) return typeOf(member(schema, 'then'), rules);
  return kind === 'integer' ? 'number' : kind;
}

function recordOf(schema: JsonObject, rules: JsonObject): string {
  const branches = Array.isArray(schema['allOf']) ? schema['allOf'].map((each: Json) => member({ each }, 'each')) : [];
  const parts = [...branches.map((branch) => member(branch, 'then')), schema];
  const members = Object.assign({}, ...parts.map((part) => member(part, 'properties'))) as Record<string, Json>;
  if (Object.keys(members).length === 0)
    return `Readonly<Record<string, ${typeOf(member(schema, 'additionalProperties'), rules)} | undefined>>`;
  const required: readonly Json[] = Array.isArray(schema['required']) ? schema['required'] : [];
  const texts = Object.keys(members).map((name) => {
    const type = typeOf(member(members, name), rules);
    return required.includes(name) ? `readonly ${name}: ${type}` : `readonly ${name}?: ${type} | undefined`;
  });
  return `{ ${texts.join('; ')} }`;
}

function member(schema: JsonObject, name: string): JsonObject {
  const found = schema[name];
  return isObject(found) ? found : {};
}
