import { Ajv2020, type Options } from 'ajv/dist/2020.js';
import standalone from 'ajv/dist/standalone/index.js';
import type { LookupType, ProviderPackage } from '../../src/engine/model/provider.js';
import type { JsonObject } from '../../src/engine/model/value.js';
import { formats, inputsSchema, rulesOnly } from '../../src/providers/inputs-schema.js';
import { generatedNotice } from './notice.js';

/** Where the compiled rules lie, one file each. */
export const validatorsFolder = 'src/generated/validators';

/** The rules of every resource's inputs and every lookup's arguments, compiled to plain code: path → content. */
export function validatorModules(packages: readonly ProviderPackage[]): ReadonlyMap<string, string> {
  const schemas = packages.flatMap((each) => [
    ...[...each.types.values()].map((type) => [type.token, inputsSchema(type)] as const),
    ...[...each.lookups.values()].map((lookup) => [lookup.token, argumentsSchema(lookup)] as const),
  ]);
  const table = schemas.map(
    ([token]) => `  ${JSON.stringify(token)}: () => import('./validators/${fileName(token)}'),`,
  );
  const index = `// ${generatedNotice}\nexport const validators = {\n${table.join('\n')}\n};\n`;
  return new Map([
    [`${validatorsFolder}.js`, index],
    ...schemas.map(([token, schema]) => [`${validatorsFolder}/${fileName(token)}`, validatorModule(schema)] as const),
  ]);
}

function validatorModule(schema: JsonObject): string {
  return compiled(schema, { allErrors: true, formats, strictTypes: false });
}

/** `platform-Api.js` of `platform:index/api:Api`. */
function fileName(token: string): string {
  return `${token.slice(0, token.indexOf(':'))}-${token.slice(token.lastIndexOf(':') + 1)}.js`;
}

/** The rules of a state document; the first one that is broken is told. */
export function stateValidatorModule(schema: JsonObject): string {
  return compiled(schema, {});
}

/** The rules of sync.yaml; each broken one is told with the schema it stands in. */
export function projectValidatorModule(schema: JsonObject): string {
  return compiled(schema, { allErrors: true, verbose: true, validateFormats: false, strict: false });
}

function compiled(schema: JsonObject, options: Options): string {
  const ajv = new Ajv2020({ ...options, code: { source: true, esm: true, lines: true, optimize: 2 } });
  return `// ${generatedNotice}\n${withoutRequire(standalone.default(ajv, ajv.compile(schema)))}`;
}

/** Declares a validator that holds JSON against `what`. */
export function validatorTypes(what: string): string {
  return `// ${generatedNotice}
import type { Validator } from './validators.js';

/** Holds JSON against ${what}. */
declare const validate: Validator;
export default validate;
`;
}

export const validatorsTypes = `// ${generatedNotice}
import type { JsonObject } from '../engine/model/value.js';

export interface ValidationError {
  readonly instancePath: string;
  /** Where the broken rule stands in the schema. */
  readonly schemaPath: string;
  readonly keyword: string;
  readonly params: JsonObject;
  readonly message?: string;
  /** The schema that the rule stands in, where the validator was compiled to tell it. */
  readonly parentSchema?: JsonObject;
  /** The key a rule about keys was broken by. */
  readonly propertyName?: string;
}

/** True when the value obeys; else \`errors\` holds what the last call found. */
export interface Validator {
  (value: unknown): boolean;
  readonly errors?: readonly ValidationError[] | null;
}

/** By token of a resource type or a lookup; each is loaded when it is asked for. */
export const validators: Readonly<Record<string, () => Promise<{ readonly default: Validator }>>>;
`;

function argumentsSchema(lookup: LookupType): JsonObject {
  return rulesOnly(lookup.inputs) as JsonObject;
}

/** The compiler's ESM output still asks for its length function by \`require\`, which ESM has not; it is written out here. */
function withoutRequire(code: string): string {
  const length = 'require("ajv/dist/runtime/ucs2length").default';
  const inlined = code.replaceAll(length, '(text) => { let n = 0; for (const _ of text) n++; return n; }');
  if (inlined.includes('require(')) throw new Error('a validator asks for a run-time module: write it out as well');
  return inlined;
}
