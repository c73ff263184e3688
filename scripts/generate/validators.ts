import { Ajv2020 } from 'ajv/dist/2020.js';
import standalone from 'ajv/dist/standalone/index.js';
import type { LookupType, ProviderPackage } from '../../src/engine/model/provider.js';
import type { JsonObject } from '../../src/engine/model/value.js';
import { inputsSchema, rulesOnly } from '../../src/providers/inputs-schema.js';
import { generatedNotice } from './notice.js';

/** The rules of every resource's inputs and every lookup's arguments, compiled to plain code. */
export function validatorsModule(packages: readonly ProviderPackage[]): string {
  const schemas = packages.flatMap((each) => [
    ...[...each.types.values()].map((type) => [type.token, inputsSchema(type)] as const),
    ...[...each.lookups.values()].map((lookup) => [lookup.token, argumentsSchema(lookup)] as const),
  ]);
  const ajv = new Ajv2020({
    allErrors: true,
    validateFormats: false,
    strictTypes: false,
    code: { source: true, esm: true, lines: true, optimize: 2 },
    schemas: Object.fromEntries(schemas),
  });
  const exported = Object.fromEntries(schemas.map(([token]) => [exportName(token), token]));
  const table = schemas.map(([token]) => `  ${JSON.stringify(token)}: ${exportName(token)},`).join('\n');
  const code = withoutRequire(standalone.default(ajv, exported));
  return `// ${generatedNotice}\n${code}\nexport const validators = {\n${table}\n};\n`;
}

export const validatorsTypes = `// ${generatedNotice}
import type { JsonObject } from '../engine/model/value.js';

export interface ValidationError {
  readonly instancePath: string;
  readonly keyword: string;
  readonly params: JsonObject;
  readonly message?: string;
  /** The key a rule about keys was broken by. */
  readonly propertyName?: string;
}

/** True when the value obeys; else \`errors\` holds what the last call found. */
export interface Validator {
  (value: unknown): boolean;
  readonly errors?: readonly ValidationError[] | null;
}

/** By token of a resource type or a lookup. */
export const validators: Readonly<Record<string, Validator>>;
`;

function argumentsSchema(lookup: LookupType): JsonObject {
  return rulesOnly(lookup.inputs) as JsonObject;
}

function exportName(token: string): string {
  return `validate_${token.replace(/[^A-Za-z0-9]/g, '_')}`;
}

/** The compiler's ESM output still asks for its length function by \`require\`, which ESM has not; it is written out here. */
function withoutRequire(code: string): string {
  const length = 'require("ajv/dist/runtime/ucs2length").default';
  const inlined = code.replaceAll(length, '(text) => { let n = 0; for (const _ of text) n++; return n; }');
  if (inlined.includes('require(')) throw new Error('a validator asks for a run-time module: write it out as well');
  return inlined;
}
