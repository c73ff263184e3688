import { describe, expect, it } from 'vitest';
import { hostOf } from '../../pulumi/src/host.js';
import { takesNothing } from '../../src/providers/package-schema.js';
import { schemas } from './engine.js';

type Spec = Readonly<Record<string, unknown>>;
type Property = { readonly replaceOnChanges?: boolean; readonly secret?: boolean; readonly $ref?: string };
type Resource = {
  readonly description: string;
  readonly inputProperties: Readonly<Record<string, Property>>;
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
  readonly types?: Spec;
  readonly resources: Readonly<Record<string, Resource>>;
  readonly functions: Readonly<Record<string, { readonly inputs?: { readonly properties: Spec } }>>;
}

const schemaOf = async (name: string): Promise<Schema> => {
  const schema = schemas[name];
  if (schema === undefined) throw new Error(name);
  return JSON.parse((await hostOf(schema, {})).schemaText()) as Schema;
};

describe.each(['platform', 'cloud'])('the schema of %s', (name) => {
  it('has every type and lookup, under tokens whose module format makes them importable', async () => {
    const schema = await schemaOf(name);
    expect(Object.keys(schema.resources)).toEqual(Object.keys(schemas[name]?.resources ?? {}));
    expect(Object.keys(schema.functions)).toEqual(Object.keys(schemas[name]?.functions ?? {}));
    for (const token of [...Object.keys(schema.resources), ...Object.keys(schema.types ?? {})]) {
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
    expect(refs.filter((token) => schema.types?.[token] === undefined)).toEqual([]);
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
