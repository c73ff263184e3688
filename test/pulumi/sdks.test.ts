import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Ajv2020, type AnySchema } from 'ajv/dist/2020.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { metaschema, pulumiTools } from '../../pulumi/tools/place.mjs';
import { leftOut } from '../harness/left-out.js';
import { builtPackages, goEnvironment, goSdk, realEngine } from './command-line.js';

const run = promisify(execFile);
let packages: string;
let scratch: string;
beforeAll(async () => {
  packages = await builtPackages();
  scratch = await mkdtemp(join(tmpdir(), 'sdks-'));
});
afterAll(() => rm(scratch, { recursive: true, force: true }));

/** One of the tools, and what titles say where it is not there. */
function tool(
  name: string,
  what: string,
): { readonly path: string; readonly isLeftOut: boolean; readonly note: string } {
  const path = join(pulumiTools(), name);
  const isLeftOut = !existsSync(path);
  return { path, isLeftOut, note: isLeftOut ? leftOut(what, `no ${path}; npm run pulumi:tools makes it`) : '' };
}

const rules = tool(metaschema, "schemas held against Pulumi's own");
describe.skipIf(rules.isLeftOut)(`by Pulumi's own schema of package schemas${rules.note}`, () => {
  const violations = async (schema: unknown): Promise<readonly string[]> => {
    const ajv = new Ajv2020({ strict: false, allErrors: true, validateFormats: false });
    const validate = ajv.compile(JSON.parse(await readFile(rules.path, 'utf8')) as AnySchema);
    validate(schema);
    return (validate.errors ?? []).map(({ instancePath, message = '' }) => `${instancePath}: ${message}`);
  };
  const built = async (name: string): Promise<Record<string, Record<string, unknown>>> =>
    JSON.parse(await readFile(join(packages, name, 'schema.json'), 'utf8')) as Record<string, Record<string, unknown>>;

  it.each(['platform', 'cloud'])('%s is one, whole', async (name) => {
    expect(await violations(await built(name))).toEqual([]);
  });

  it('a schema that is none is found out', async () => {
    const schema = await built('cloud');
    expect(await violations({ ...schema, types: { 'cloud:x': { type: 'text' } } })).not.toEqual([]);
  });
});

const yaml = realEngine('yaml');
it.skipIf(yaml.isLeftOut)(
  `by the check of the command line, neither schema has an error or a warning${yaml.note}`,
  async () => {
    for (const name of ['platform', 'cloud']) {
      const env = { ...process.env, PULUMI_SKIP_UPDATE_CHECK: 'true', PULUMI_HOME: scratch };
      const check = ['schema', 'check', join(packages, name, 'schema.json')];
      const { stdout, stderr } = await run(join(pulumiTools(), 'pulumi'), check, { env });
      expect(stdout + stderr).toBe('');
    }
  },
);

it('names namespaces and packages for C# and Java', async () => {
  for (const [name, root] of [
    ['platform', 'Platform'],
    ['cloud', 'Cloud'],
  ] as const) {
    const { language } = JSON.parse(await readFile(join(packages, name, 'schema.json'), 'utf8')) as {
      readonly language: Readonly<Record<string, unknown>>;
    };
    expect(language['csharp']).toMatchObject({ rootNamespace: 'Pulumi', namespaces: { [name]: root } });
    expect(language['java']).toMatchObject({ basePackage: 'com.pulumi' });
  }
});

const csharp = tool('pulumi-sdk', 'the SDK in C#');
const compiler = await run('dotnet', ['--version']).then(
  () => '',
  () => leftOut('compiling the SDK in C#', 'no dotnet on the PATH; it is only generated'),
);
describe.skipIf(csharp.isLeftOut)('the SDKs of all types', () => {
  it.each([
    ['go', 'platform', 'gatewayService.go', 'func NewGatewayService('],
    ['go', 'cloud', 'endpoints/getServiceIamPolicy.go', 'func LookupServiceIamPolicy('],
    ['python', 'cloud', 'pulumi_cloud/endpoints/get_service_iam_policy.py', 'def get_service_iam_policy('],
  ])('in %s of %s has %s with "%s"', async (language, name, file, words) => {
    const folder = join(scratch, `${language}-${name}`);
    await run(csharp.path, [language, join(packages, name, 'schema.json'), folder]);
    expect(await readFile(join(folder, file), 'utf8')).toContain(words);
  });
});

const go = csharp.isLeftOut ? csharp.note : await goEnvironment();
const goNote = typeof go === 'string' ? leftOut("the types of Go's SDK", go) : '';
// It takes two minutes: npm run soak.
it.skipIf(typeof go === 'string' || process.env['SYNC_EVERY_FIELD'] !== '1')(
  `the SDK in Go of all types has no wrong type, by the check that needs no compiling: npm run soak${goNote}`,
  async () => {
    const folder = join(scratch, 'go-module');
    await run(csharp.path, ['go', join(packages, 'platform/schema.json'), join(folder, 'platform')]);
    await writeFile(
      join(folder, 'go.mod'),
      `module pulumi-platform/sdk/go\n\ngo 1.25.0\n\nrequire github.com/pulumi/pulumi/sdk/v3 ${goSdk}\n`,
    );
    const options = { cwd: folder, env: { ...process.env, ...(typeof go === 'string' ? {} : go) } };
    await run('go', ['mod', 'tidy'], options);
    await run('go', ['vet', './platform'], options);
    // It would find one.
    await writeFile(join(folder, 'platform/wrong.go'), 'package platform\n\nvar _ int = "text"\n');
    await expect(run('go', ['vet', './platform'], options)).rejects.toThrow('as int value');
  },
  30 * 60_000,
);

describe.skipIf(csharp.isLeftOut)(`the SDK in C#${csharp.note}${compiler}`, () => {
  it.each([
    [
      'platform',
      'Pulumi.Platform',
      'ApiDocument.cs',
      'public InputUnion<string, Pulumi.Platform.ApiDocumentStatus>? Status',
    ],
    ['platform', 'Pulumi.Platform', 'GetTeam.cs', 'public static class GetTeam'],
    ['platform', 'Pulumi.Platform', 'GatewayService.cs', 'public partial class GatewayService'],
    ['cloud', 'Pulumi.Cloud.Endpoints', 'Endpoints/GetServiceIamPolicy.cs', 'public static class GetServiceIamPolicy'],
  ])('of %s has %s in %s with "%s"', async (name, namespace, file, words) => {
    const folder = join(scratch, name);
    if (!existsSync(folder)) await run(csharp.path, ['csharp', join(packages, name, 'schema.json'), folder]);
    const text = await readFile(join(folder, file), 'utf8');
    expect(text).toContain(`namespace ${namespace}\n`);
    expect(text).toContain(words);
    expect(await readdir(folder)).toContain(`${namespace.split('.').slice(0, 2).join('.')}.csproj`);
  });

  it.skipIf(compiler !== '')(
    'compiles',
    async () => {
      for (const name of ['platform', 'cloud']) {
        const folder = join(scratch, name);
        if (!existsSync(folder)) await run(csharp.path, ['csharp', join(packages, name, 'schema.json'), folder]);
        await run('dotnet', ['build', '--nologo'], { cwd: folder, maxBuffer: 64 * 1024 * 1024 });
      }
    },
    30 * 60_000,
  );
});
