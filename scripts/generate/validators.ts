import { Ajv2020, type Options } from 'ajv/dist/2020.js';
import standalone from 'ajv/dist/standalone/index.js';
import type { LookupType, ProviderPackage } from '@platform-sync/core/model/provider';
import type { JsonObject } from '@platform-sync/core/model/value';
import { formats, inputsSchema, rulesOnly } from '@platform-sync/rest/schema/compiled-rules';
import { generatedNotice } from './notice.js';

/** Where the compiled rules of a package lie: a file for each type and lookup, and the list of them. */
const homes: Readonly<Record<string, string>> = {
  platform: 'src/providers/platform/generated',
  cloud: 'src/providers/cloud/generated',
};

/** Folders that hold nothing but compiled rules. */
export const validatorFolders = Object.values(homes).map((home) => `${home}/validators`);

/** The rules of every resource's inputs and every lookup's arguments, compiled to plain code: path → content. */
export function validatorModules(packages: readonly ProviderPackage[]): ReadonlyMap<string, string> {
  return new Map(packages.flatMap(modulesOf));
}

function modulesOf({ name, types, lookups }: ProviderPackage): readonly (readonly [string, string])[] {
  const home = homes[name];
  if (home === undefined) throw new Error(`say where the compiled rules of ${name} lie`);
  const schemas = [
    ...[...types.values()].map((type) => [type.token, inputsSchema(type)] as const),
    ...[...lookups.values()].map((lookup) => [lookup.token, argumentsSchema(lookup)] as const),
  ];
  const table = schemas.map(
    ([token]) => `  ${JSON.stringify(token)}: () => import('./validators/${fileName(token)}'),`,
  );
  return [
    [`${home}/validators.js`, `// ${generatedNotice}\nexport const validators = {\n${table.join('\n')}\n};\n`],
    [`${home}/validators.d.ts`, validatorsTypes],
    ...schemas.map(([token, schema]) => [`${home}/validators/${fileName(token)}`, validatorModule(schema)] as const),
  ];
}

const validatorsTypes = `// ${generatedNotice}
import type { Validators } from '@platform-sync/core/model/validator';

export const validators: Validators;
`;

function validatorModule(schema: JsonObject): string {
  return compiled(schema, { allErrors: true, formats, strictTypes: false });
}

/** `Api.js` of `platform:index/api:Api`. */
function fileName(token: string): string {
  return `${token.slice(token.lastIndexOf(':') + 1)}.js`;
}

/** The rules of a document; unless asked for all, the first one that is broken is told. */
export function documentValidatorModule(schema: JsonObject, options: Options = {}): string {
  return compiled(schema, options);
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
import type { Validator } from '@platform-sync/core/model/validator';

/** Holds JSON against ${what}. */
declare const validate: Validator;
export default validate;
`;
}

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
