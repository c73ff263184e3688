import { mkdtemp, mkdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openProject } from '../../src/engine/engine.js';
import type { ResourceType } from '../../src/engine/model/resource-type.js';
import { cloudPackage } from '../../src/providers/cloud/package.js';
import { platformPackage } from '../../src/providers/platform/package.js';
import { providerPackages } from '../../src/providers/registry.js';
import { exampleText, fieldsApart } from '../../src/report/text/example.js';

const types = [...platformPackage.types.values(), ...cloudPackage.types.values()];
const typeOf = (token: string): ResourceType | undefined => types.find((type) => type.token === token);

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sync-example-'));
  await mkdir(join(folder, 'catalogue'));
  await writeFile(join(folder, 'sync.yaml'), 'project: test\n');
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function problems(text: string): Promise<readonly string[]> {
  await writeFile(join(folder, 'catalogue/a.yaml'), text);
  const options = { cwd: folder, env: {}, purpose: 'validate', packages: providerPackages, isOffline: true } as const;
  const { project, diagnostics } = await openProject(options);
  if (project === undefined) return diagnostics.map(({ summary }) => summary);
  const found = await project.validate();
  await project.close();
  return found.diagnostics.filter(({ severity }) => severity === 'error').map(({ summary }) => summary);
}

/** As the command writes it. */
async function example(type: ResourceType): Promise<string> {
  const { validate } = type.provider === 'platform' ? platformPackage : cloudPackage;
  return exampleText(type, typeOf, await fieldsApart(type, (properties) => validate(type.token, properties)));
}

/** A text with some of its optional lines made real ones. */
function uncommented(text: string, names: ReadonlySet<string>): string {
  return text.replace(/^( +)# (\w+): /gm, (line, indent: string, name: string) =>
    names.has(name) ? `${indent}${name}: ` : line,
  );
}

describe('a block to start from', () => {
  it.each(types.map((type) => [type.shortToken, type] as const))(
    'of %s is right with any of its optional lines, and with all',
    async (_, type) => {
      const text = await example(type);
      const inputs = Object.values(type.fields).filter((rule) => rule.input);
      const optional = inputs.map(({ name }) => name).filter((name) => text.includes(`# ${name}: `));
      for (const names of [...optional.map((name) => [name]), optional])
        expect([names.length === 1 ? names : 'all', ...(await problems(uncommented(text, new Set(names))))]).toEqual([
          names.length === 1 ? names : 'all',
        ]);
    },
    60_000,
  );

  it.each(types.map((type) => [type.shortToken, type] as const))('of %s is right as it stands', async (_, type) => {
    const text = await example(type);
    expect(await problems(text)).toEqual([]);
    const inputs = Object.values(type.fields).filter((rule) => rule.input);
    for (const { name } of inputs.filter(({ name: each }) => !text.includes(`${each}:`)))
      expect(type.nesting.some(({ field, inherits }) => [field, ...inherits].includes(name))).toBe(true);
  });
});

it('says what is required, what may be chosen, what is secret, and where ids come from', async () => {
  const type = typeOf('platform:index/gatewayService:GatewayService');
  if (type === undefined) throw new Error('no type');
  expect(await example(type)).toMatchInlineSnapshot(`
    "resources:
      gatewayControlPlane:
        type: platform:GatewayControlPlane
        properties:
          # Name; required; at least 2, at most 256 characters
          name: name
        children:
          gatewayService:
            type: platform:GatewayService
            properties:
              # Host; required
              host: host
              # Ca certificates; the id of a platform:GatewayCACertificate: \${gatewayCACertificate.id}, or !lookup {function: platform:getGatewayCACertificate, …}
              # caCertificates: [ caCertificates ]
              # Client certificate id; the id of a platform:GatewayCertificate: \${gatewayCertificate.id}, or !lookup {function: platform:getGatewayCertificate, …}
              # clientCertificateId: clientCertificateId
              # Connect timeout; at least 1; at most 2147483646
              # connectTimeout: 1
              # Enabled
              # enabled: false
              # Name
              # name: name
              # Path
              # path: path
              # Port; at least 0; at most 65535
              # port: 0
              # Protocol; one of grpc, grpcs, http, https, tcp, tls, tls_passthrough, udp, ws, wss
              # protocol: grpc
              # Read timeout; at least 1; at most 2147483646
              # readTimeout: 1
              # Retries; at least 0; at most 32767
              # retries: 0
              # Tags
              # tags: [ tags ]
              # Tls sans
              # tlsSans: {}
              # Tls verify
              # tlsVerify: false
              # Tls verify depth; at least 0; at most 64
              # tlsVerifyDepth: 0
              # Url
              # url: url
              # Write timeout; at least 1; at most 2147483646
              # writeTimeout: 1
    "
  `);
});
