import { mustNotBeDeeper, readJson, parsedJson } from '@platform-sync/core/model/read-json';
import type { Plan } from '@platform-sync/core/model/plan';
import type { Json } from '@platform-sync/core/model/value';
import { isRecord } from '../words/value.js';
import type * as Yaml from 'yaml';

/** Reads a text as JSON or as an API description in YAML; undefined when it is neither. */
export type StructuredReader = (text: string) => Json | undefined;

const yamlDescription = /^["']?(openapi|swagger|asyncapi)["']?\s*:/m;

/** JSON only: needs no parser beyond the language's own. */
export const readJsonText: StructuredReader = (text) => {
  const start = text.trimStart()[0];
  if (start !== '{' && start !== '[') return undefined;
  try {
    return readJson(text);
  } catch {
    return undefined;
  }
};

/** A reader for the texts of this plan. The YAML parser is loaded only when the plan changes a YAML description. */
export async function structuredReader(plan: Plan): Promise<StructuredReader> {
  const needsYaml = plan.steps.some((step) =>
    step.fields.some((field) => isYamlDescription(field.old) && isYamlDescription(field.new)),
  );
  if (!needsYaml) return readJsonText;
  const { parseDocument } = await import('yaml');
  return (text) => readJsonText(text) ?? (isYamlDescription(text) ? readYaml(parseDocument, text) : undefined);
}

/** What no reader takes for a record can't describe an API: told without reading it. */
export function mayBeDescription(value: Json | undefined): boolean {
  if (typeof value !== 'string') return isRecord(value);
  return value.trimStart().startsWith('{') || yamlDescription.test(value);
}

function isYamlDescription(value: Json | undefined): boolean {
  return typeof value === 'string' && yamlDescription.test(value);
}

function readYaml(parseDocument: typeof Yaml.parseDocument, text: string): Json | undefined {
  try {
    const document = parseDocument(text, { prettyErrors: false, logLevel: 'error' });
    // What the parser made of a broken text is not what it says.
    if (document.errors.length > 0) return undefined;
    const value: unknown = document.toJS({ maxAliasCount: 1000 });
    mustNotBeDeeper(value);
    // Dates, big numbers and the like become what they are in JSON, so that both sides compare alike.
    return typeof value === 'object' && value !== null ? parsedJson(JSON.stringify(value)) : undefined;
  } catch {
    return undefined;
  }
}
