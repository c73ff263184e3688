import { isMethod, memberName, takesNothing, type FunctionSpec } from '@platform-sync/rest/schema/package-schema';
import { generatedNotice } from './notice.js';
import type { Package } from './packages.js';
import { pascal, record } from './types.js';

/** The typed functions and provider classes for programs: names and types from the schemas, behaviour in src/sdk/. */
export function sdkModule(packages: readonly Package[]): string {
  const parts = packages.flatMap((each) => [...resultTypes(each), providerClass(each), ...functions(each)]);
  return `${head(packages)}\n${parts.join('\n')}\n${ofTypes(packages)}`;
}

/** The lookups that every type has. */
function ofTypes(packages: readonly Package[]): string {
  const instances = packages.map(({ name }) => `${name}: () => ${pascal(name)}.default()`);
  return `/** Objects of any type, by what they are known by: \`get('platform:GatewayService', {controlPlaneId, name: 'orders'})\`. */
export const { get, getOutput, getList, getListOutput } = objectFunctions<Objects>({ ${instances.join(', ')} });
`;
}

function head(packages: readonly Package[]): string {
  const specs = packages.flatMap(({ schema }) => Object.entries(schema.functions ?? {}));
  const lookups = specs.filter(([token]) => !isMethod(token));
  const types = [
    ...packages.map(({ name }) => `${pascal(name)}Settings`),
    ...lookups.flatMap(([token, { inputs }]) => {
      const name = pascal(memberName(token));
      return [...(takesNothing(inputs) ? [] : [`${name}Args`]), `${name}Result`];
    }),
  ];
  return [
    `// ${generatedNotice}`,
    "import type { Json } from '@platform-sync/core/model/value';",
    "import { invoke, invokeOutput } from '../invoke.js';",
    "import type { InvokeOptions, InvokeOutputOptions } from '../invoke.js';",
    "import { ProviderInstance, defaultInstance } from '../provider-instance.js';",
    "import type { ProviderOptions } from '../provider-options.js';",
    "import { terraformConfig } from '../terraform-config.js';",
    "import { objectFunctions } from '../objects.js';",
    "import type { Input, Output } from '../types.js';",
    "import type { Objects } from './objects.js';",
    `import type {\n${types.map((type) => `  ${type},\n`).join('')}} from './types.js';\n`,
  ].join('\n');
}

/** Results of the provider's methods; `types.ts` holds what catalogues and lookups know. */
function resultTypes({ schema }: Package): readonly string[] {
  return methodsOf(schema.functions).map(([name, spec]) =>
    record(methodResult(schema.name, name), `Result of \`${name}\`.`, spec.outputs),
  );
}

function providerClass({ name, schema }: Package): string {
  const type = pascal(name);
  const methods = methodsOf(schema.functions).map(
    ([method, spec]) => `
  /** ${spec.description} */
  ${method}(): Output<${methodResult(name, method)}> {
    return ${method}(this);
  }
`,
  );
  return `/** An instance of the provider \`${name}\` with settings of its own. ${schema.description} */
export class ${type} extends ProviderInstance<'${name}', ${type}Settings> {
  /** Settings that are left out come from the environment. */
  constructor(settings: Input<${type}Settings> = {}, options: ProviderOptions = {}) {
    super('${name}', settings, options);
  }

  /** The instance that functions use when none is named: all settings from the environment. */
  static default(): ${type} {
    return defaultInstance('${name}', () => new ${type}());
  }
${methods.join('')}}
`;
}

function functions({ name, schema }: Package): readonly string[] {
  return Object.entries(schema.functions ?? {})
    .filter(([token]) => !isMethod(token))
    .map(([token, spec]) => lookupFunctions(pascal(name), token, spec));
}

function lookupFunctions(provider: string, token: string, spec: FunctionSpec): string {
  const name = memberName(token);
  const result = `${pascal(name)}Result`;
  const nothing = takesNothing(spec.inputs);
  const optional = (spec.inputs.required ?? []).length === 0;
  const parameter = (type: string): string => (nothing ? '' : `\n  args: ${type}${optional ? ' = {}' : ''},`);
  const args = nothing ? '{}' : 'args';
  const later = nothing
    ? 'Nothing is called while something in `dependsOn` is unknown.'
    : 'Arguments may be promises and Outputs; nothing is called while one of them is unknown.';
  const instance = `options.provider ?? ${provider}.default()`;
  return `/** ${spec.description} */
export function ${name}(${parameter(`${pascal(name)}Args`)}
  options: InvokeOptions<${provider}> = {},
): Promise<${result}> {
  return invoke(${instance}, '${token}', ${args});
}

/** ${spec.description} ${later} */
export function ${name}Output(${parameter(`Input<${pascal(name)}Args>`)}
  options: InvokeOutputOptions<${provider}> = {},
): Output<${result}> {
  return invokeOutput(${instance}, '${token}', ${args}, options.dependsOn);
}
`;
}

function methodsOf(
  functions: Readonly<Record<string, FunctionSpec>> = {},
): readonly (readonly [string, FunctionSpec])[] {
  return Object.entries(functions)
    .filter(([token]) => isMethod(token))
    .map(([token, spec]) => [token.slice(token.lastIndexOf('/') + 1), spec]);
}

function methodResult(provider: string, method: string): string {
  return `${pascal(provider)}${pascal(method)}Result`;
}
