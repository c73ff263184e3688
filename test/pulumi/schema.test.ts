import { describe, expect, it } from 'vitest';
import { takesNothing, type TypeSpec } from '@platform-sync/rest/schema/package-schema';
import { providerPackages } from '@platform-sync/sdk/registry';
import { wholeSchema } from '../../pulumi/src/whole-schema.js';
import { defaultGoModule, languages } from '../../pulumi/src/languages.js';
import { allDefinitions } from '@platform-sync/platform/package';
import { style } from '@platform-sync/platform/style';
import { packageEntry } from '../../scripts/generate/package-entry.js';
import { restType } from '@platform-sync/rest/rest-type';
import { hostOfSources, schemas } from './engine.js';

type Spec = Readonly<Record<string, unknown>>;
type Property = TypeSpec & { readonly replaceOnChanges?: boolean; readonly secret?: boolean };
type Properties = Readonly<Record<string, Property>>;
type Resource = {
  readonly description: string;
  readonly properties: Properties;
  readonly required: readonly string[];
  readonly inputProperties: Properties;
  readonly requiredInputs?: readonly string[];
  readonly stateInputs: { readonly properties: Spec };
};
interface Schema {
  readonly version: string;
  readonly meta: { readonly moduleFormat: string };
  readonly config: {
    readonly variables: Readonly<Record<string, Property & { readonly description?: string }>>;
  };
  readonly provider: { readonly inputProperties: Spec; readonly methods?: Readonly<Record<string, string>> };
  readonly types: Readonly<
    Record<string, { readonly enum?: readonly { readonly name: string }[]; readonly properties?: Properties }>
  >;
  readonly resources: Readonly<Record<string, Resource>>;
  readonly functions: Readonly<
    Record<
      string,
      { readonly inputs?: { readonly properties: Properties }; readonly outputs: { readonly properties: Properties } }
    >
  >;
}

const schemaOf = async (name: string): Promise<Schema> => {
  return JSON.parse(await (await hostOfSources(name, {})).schemaText()) as Schema;
};

describe.each(['platform', 'cloud'])('the schema of %s', (name) => {
  it('has every type and lookup, under tokens whose module format makes them importable', async () => {
    const schema = await schemaOf(name);
    expect(Object.keys(schema.resources).sort()).toEqual([...(await providerPackages.load(name)).types.keys()].sort());
    expect(Object.keys(schema.functions)).toEqual(Object.keys(schemas[name]?.functions ?? {}));
    for (const token of [...Object.keys(schema.resources), ...Object.keys(schema.types)]) {
      expect(token).toMatch(new RegExp(`^${name}:\\w+/(\\w+):\\w+$`));
      expect(new RegExp(schema.meta.moduleFormat).exec(token.split(':')[1] ?? '')?.[1]).toMatch(
        /^(?:index|endpoints)$/,
      );
    }
    expect(schema.version).toMatch(/^\d+\.\d+\.\d+$/);
  });

  it('refers to nothing that is not there', async () => {
    const schema = await schemaOf(name);
    const refs = [...JSON.stringify(schema).matchAll(/"#\/types\/([^"]+)"/g)].map(([, token]) => token ?? '');
    expect(refs.filter((token) => schema.types[token] === undefined)).toEqual([]);
  });

  it('no enumeration is closed: any text may be written in place of a name, and what is read is a text', async () => {
    const schema = await schemaOf(name);
    const isEnum = ({ $ref }: TypeSpec): boolean =>
      schema.types[$ref?.slice('#/types/'.length) ?? '']?.enum !== undefined;
    const parts = (spec: TypeSpec): readonly TypeSpec[] => [
      spec,
      ...[spec.items, spec.additionalProperties].flatMap((part) => (part === undefined ? [] : parts(part))),
    ];
    const within = (properties: Properties): readonly TypeSpec[] => Object.values(properties).flatMap(parts);
    const { resources, functions, types } = schema;
    const read = [
      ...Object.values(resources).map(({ properties }) => properties),
      ...Object.values(functions).map(({ outputs }) => outputs.properties),
    ].flatMap(within);
    const written = [
      ...Object.values(resources).map(({ inputProperties }) => inputProperties),
      ...Object.values(functions).map(({ inputs }) => inputs?.properties ?? {}),
      ...Object.values(types).map(({ properties = {} }) => properties),
    ].flatMap(within);
    expect([...read, ...written].filter(isEnum)).toEqual([]);
    expect(read.flatMap(({ oneOf = [] }) => oneOf).filter(isEnum)).toEqual([]);
    const relaxed = written.filter(({ oneOf = [] }) => oneOf.some(isEnum));
    for (const { type, oneOf } of relaxed)
      expect({ type, oneOf }).toEqual({ type: 'string', oneOf: [{ type: 'string' }, { $ref: expect.any(String) }] });
    if (name === 'platform') expect(relaxed.length).toBeGreaterThan(50);
  });

  it('no member of an enumeration has the name of something else, in Go, where both stand in one package', async () => {
    const { types, resources, functions } = await schemaOf(name);
    const pascal = (token: string): string => token.replace(/^.*:(\w)/, (_, first: string) => first.toUpperCase());
    const made = ['', 'Input', 'Output', 'Ptr', 'PtrInput', 'PtrOutput', 'Array', 'ArrayInput', 'ArrayOutput']
      .concat(['Map', 'MapInput', 'MapOutput', 'Args', 'State', 'Result', 'ResultOutput', 'OutputArgs'])
      .flatMap((end) => Object.keys({ ...types, ...resources, ...functions }).map((token) => pascal(token) + end));
    const taken = new Set(made);
    const members = Object.entries(types).flatMap(([token, { enum: choices = [] }]) =>
      choices.map(({ name: member }) => pascal(token) + member),
    );
    expect(members.filter((member) => taken.has(member))).toEqual([]);
    expect(new Set(members).size).toBe(members.length);
  });

  it('what a program must write is in every answer', async () => {
    for (const [token, { requiredInputs = [], required }] of Object.entries((await schemaOf(name)).resources))
      expect([token, required]).toEqual([token, expect.arrayContaining([...requiredInputs])]);
  });

  it('no setting is filled from the environment by generated code: the provider reads it by itself', async () => {
    const schema = await schemaOf(name);
    expect(JSON.stringify(schema)).not.toContain('"defaultInfo"');
    const { config } = schema;
    for (const [setting, { defaultInfo }] of Object.entries(schemas[name]?.config?.variables ?? {}))
      for (const variable of defaultInfo?.environment ?? [])
        expect(config.variables[setting]?.description).toContain(variable);
  });

  it('a lookup that nothing is given to has no inputs, so that options of a call are taken as such', async () => {
    const { functions } = await schemaOf(name);
    for (const [token, { inputs }] of Object.entries(functions))
      expect([token, Object.keys(inputs?.properties ?? { none: 0 }).length]).not.toEqual([token, 0]);
    for (const [token, { inputs }] of Object.entries(schemas[name]?.functions ?? {}))
      expect([token, functions[token]?.inputs === undefined]).toEqual([token, takesNothing(inputs)]);
  });

  it('marks what is secret among the settings, and describes their variables', async () => {
    const { config, provider } = await schemaOf(name);
    expect(provider.inputProperties).toEqual(config.variables);
    for (const [setting, { secret }] of Object.entries(schemas[name]?.config?.variables ?? {}))
      expect(config.variables[setting]?.secret).toBe(secret);
  });
});

it('the fields that replace are marked, parents and those without an update among them', async () => {
  const { resources } = await schemaOf('platform');
  const replaced = Object.fromEntries(
    Object.entries(resources).map(([token, { inputProperties }]) => [
      token.split(':').at(-1),
      Object.entries(inputProperties).flatMap(([field, { replaceOnChanges }]) =>
        replaceOnChanges === true ? [field] : [],
      ),
    ]),
  );
  expect(replaced).toMatchObject({
    Api: ['specContent'],
    ApiDocument: ['apiId'],
    ApiImplementation: ['apiId', 'controlPlaneReference', 'serviceReference'],
    ApiProduct: [],
    ApiProductDocument: ['apiProductId'],
  });
});

it('says how each type is imported', async () => {
  const { resources } = await schemaOf('platform');
  expect(resources['platform:index/api:Api']?.description).toContain('its identifier');
  expect(resources['platform:index/apiDocument:ApiDocument']?.description).toContain('{"api_id":"…","id":"…"}');
  const cloud = await schemaOf('cloud');
  expect(cloud.resources['cloud:endpoints/serviceIamPolicy:ServiceIamPolicy']).toMatchObject({
    description: expect.stringContaining('`serviceName`'),
    requiredInputs: ['serviceName', 'policyData'],
    inputProperties: { allowEmptyOnDelete: { type: 'boolean' } },
  });
});

it('has the method, and its token names the provider', async () => {
  const { provider, functions } = await schemaOf('platform');
  expect(provider.methods).toEqual({ terraformConfig: 'pulumi:providers:platform/terraformConfig' });
  expect(functions['pulumi:providers:platform/terraformConfig']).toMatchObject({
    inputs: { required: ['__self__'] },
    outputs: { required: ['result'] },
  });
});

it('of two records of one name there is one form', () => {
  const forms = new Map<string, string>();
  const definitions = allDefinitions();
  for (const definition of definitions)
    for (const [token, spec] of packageEntry('platform', restType(definition, style)).named) {
      const form = JSON.stringify(spec);
      expect([definition.name, token, forms.get(token) ?? form]).toEqual([definition.name, token, form]);
      forms.set(token, form);
    }
  expect(definitions.length).toBe(266);
});

it('has the types that a build chooses, with all that they refer to, and says which pattern chooses none', () => {
  const few = wholeSchema('platform', defaultGoModule, ['Api', 'PortalTeam*']) as Schema;
  const names = Object.keys(few.resources).map((token) => token.split(':')[2]);
  expect(names.sort()).toEqual(['Api', 'PortalTeam', 'PortalTeamGroupMapping', 'PortalTeamRole']);
  const refs = [...JSON.stringify(few).matchAll(/"#\/types\/([^"]+)"/g)].map(([, token]) => token ?? '');
  expect(refs.filter((token) => few.types[token] === undefined)).toEqual([]);
  expect(Object.keys(few.types).filter((token) => token.includes('GatewayPlugin'))).toEqual([]);
  expect(() => wholeSchema('platform', defaultGoModule, ['Api', 'Nope'])).toThrow(
    'No type of platform is called Nope.',
  );
});

it.each([
  ['0.1.0', 'pulumi-platform/sdk/go'],
  ['1.9.0', 'pulumi-platform/sdk/go'],
  ['3.0.1', 'pulumi-platform/sdk/go/v3'],
])('version %s is the Go module %s', (version, path) => {
  const { go } = languages({ name: 'platform' }, { version, goModule: defaultGoModule }) as Record<'go', Spec>;
  expect(go).toMatchObject({ modulePath: path, importBasePath: `${path}/platform` });
});
