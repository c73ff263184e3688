import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { Ajv } from 'ajv';
import type { JsonObject } from '@platform-sync/core/model/value';

// The standard's own schema, out of a package for testing SARIF.
const file = createRequire(import.meta.url).resolve('@microsoft/jest-sarif/lib/schemas/sarif-2.1.0-rtm.5.json');

const isTime = (text: string): boolean => /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/.test(text);
const isUriReference = (text: string): boolean =>
  /^(?:%[0-9A-Fa-f]{2}|[\w\-.~:/?#[\]@!$&'()*+,;=])*$/.test(text) && URL.canParse(text, 'https://example.com/');

function compile(): (document: unknown) => readonly string[] {
  // A schema of draft 4 that uses nothing later drafts changed but the names of these two keys.
  const { $schema: _draft, id: _id, ...schema } = JSON.parse(readFileSync(file, 'utf8')) as JsonObject;
  const ajv = new Ajv({
    strict: false,
    allErrors: true,
    // One of its patterns is none by the stricter rules.
    unicodeRegExp: false,
    formats: { uri: (text) => URL.canParse(text), 'uri-reference': isUriReference, 'date-time': isTime },
  });
  const validate = ajv.compile(schema);
  return (document) => {
    validate(document);
    return (validate.errors ?? []).map((error) => `${error.instancePath} ${error.message ?? error.keyword}`);
  };
}

/** What the schema of SARIF 2.1.0 has against a document; empty when nothing. */
export const sarifProblems = compile();
