import { canonicalJson } from '@platform-sync/core/model/canonical';
import { defined, emptyRecord, type Json, type JsonObject } from '@platform-sync/core/model/value';
import { asList, asObject, asText } from '@platform-sync/rest/http/json';
import { captureName, referred, type GatewayPlugin, type Parameter } from './specification.js';

export const validatorName = 'request-validator';

/**
 * The plugin that refuses calls which an operation does not describe: bodies in JSON and parameters, where its settings don't say
 * them. Undefined where there is nothing to look at.
 */
export function requestValidator(
  document: JsonObject,
  plugin: GatewayPlugin,
  operation: JsonObject,
  parameters: readonly Parameter[],
): GatewayPlugin | undefined {
  const given = asObject(plugin.fields['config']) ?? {};
  const content = asObject(referred(document, operation['requestBody'])['content']) ?? {};
  const json = Object.entries(content).find(([type]) => /^application\/(?:[\w.+-]*\+)?json\s*(?:;.*)?$/i.test(type));
  const schema = json && asObject(json[1])?.['schema'];
  const described = parameters.filter(({ place }) => place !== 'cookie').map((each) => parameterSchema(document, each));
  const made = defined({
    body_schema: schema === undefined ? undefined : schemaText(document, schema),
    allowed_content_types: schema === undefined ? undefined : Object.keys(content),
    parameter_schema: described.length === 0 ? undefined : described,
  });
  const config: JsonObject = { version: 'draft4', ...made, ...given };
  const isIdle = config['body_schema'] === undefined && config['parameter_schema'] === undefined;
  if (isIdle && given['allowed_content_types'] === undefined) return undefined;
  return {
    ...plugin,
    fields: { ...plugin.fields, config: isIdle ? { ...config, body_schema: '{}' } : config },
  };
}

function parameterSchema(document: JsonObject, { name, place, required, style, explode, raw }: Parameter): JsonObject {
  const called = place === 'path' ? captureName(name) : name;
  return { name: called, in: place, required, style, explode, schema: schemaText(document, raw) };
}

const shared = '#/components/schemas/';

/** A schema as the plugin takes it: one text, with all that it refers to. */
function schemaText(document: JsonObject, schema: Json): string {
  const definitions = emptyRecord<Json>();
  const read = (value: Json): Json => {
    const list = asList(value);
    if (list !== undefined) return list.map(read);
    const object = asObject(value);
    if (object === undefined) return value;
    const name = asText(object['$ref']);
    if (name?.startsWith(shared) === true) {
      const key = name.slice(shared.length);
      if (definitions[key] === undefined) {
        definitions[key] = true;
        definitions[key] = read(referred(document, object));
      }
      return { $ref: `#/definitions/${key}` };
    }
    return Object.fromEntries(Object.entries(object).map(([key, member]) => [key, read(member)]));
  };
  const whole = asObject(read(schema)) ?? {};
  return canonicalJson(Object.keys(definitions).length === 0 ? whole : { ...whole, definitions: { ...definitions } });
}
