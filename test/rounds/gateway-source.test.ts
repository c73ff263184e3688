import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { extensions } from '@platform-sync/platform/wire';
import { realProgram, type RealProgram } from '../cli/real-program.js';

const specification = (path: string, more = ''): string => `openapi: 3.0.3
info: {title: Pets, version: '1'}
servers:
  - url: https://pets.example.com/v1
${extensions.plugin}rate-limiting:
  config: {minute: 5, policy: local}
${more}paths:
  ${path}:
    get:
      operationId: listPets
      responses: {'200': {description: ok}}
  /owners/{id}:
    get:
      operationId: getOwner
      parameters:
        - {name: id, in: path, required: true, schema: &id {type: string}}
      responses: {'200': {description: ok}}
    delete:
      operationId: removeOwner
      ${extensions.plugin}acl: {config: {allow: [admins]}}
      parameters:
        - {name: id, in: path, required: true, schema: *id}
      responses: {'204': {description: gone}}
`;

const catalogue = `sources:
  ../specs/pets.yaml: {type: platform:GatewayService, under: edge, properties: {retries: 3}}
  ../specs: platform:Api
resources:
  edge:
    type: platform:GatewayControlPlane
    properties: {name: edge}
    children:
      pets-listpets:
        type: platform:GatewayRoute
        properties: {preserveHost: true}
`;

let program: RealProgram;

beforeEach(async () => {
  program = await realProgram({ PLATFORM_TOKEN: 'any' });
  await program.write({
    'sync.yaml': 'project: pets\nproviders:\n  platform: {}\n',
    'catalogue/main.yaml': catalogue,
    'specs/pets.yaml': specification('/pets'),
  });
});

afterEach(() => program.close());

interface Told {
  readonly steps: readonly {
    readonly address: string;
    readonly action: string;
    readonly changes?: readonly { readonly path: string }[];
  }[];
}

async function plan(): Promise<readonly string[]> {
  const { out } = await program.run('plan', '--format', 'json');
  return (JSON.parse(out) as Told).steps
    .filter(({ action }) => action !== 'unchanged')
    .map(({ action, address }) => `${action} ${address}`)
    .sort();
}

describe('a gateway from a specification', () => {
  it('lives a whole life: made, unchanged, moved by an edit of one path together with the portal, and gone', async () => {
    expect(await plan()).toEqual([
      'create edge',
      'create edge/pets',
      'create edge/pets-getowner',
      'create edge/pets-listpets',
      'create edge/pets-rate-limiting',
      'create edge/pets-removeowner',
      'create edge/pets-removeowner-acl',
      'create pets',
      'create pets/version',
    ]);
    expect((await program.run('apply', '--yes')).code).toBe(0);
    expect(await plan()).toEqual([]);
    // One path is edited: its route moves, and so does what the portal shows.
    await program.write({ 'specs/pets.yaml': specification('/all-pets') });
    expect(await plan()).toEqual(['update edge/pets-listpets', 'update pets/version']);
    expect((await program.run('apply', '--yes')).code).toBe(0);
    expect(await plan()).toEqual([]);
    expect((await program.run('destroy', '--yes')).code).toBe(0);
    expect((await program.run('state', 'list')).out).toBe('');
  });

  it('has what the catalogue declares over what the specification says', async () => {
    const { out } = await program.run('plan');
    expect(out).toMatch(
      /create edge\/pets \(platform:GatewayService\) {2}specs\/pets\.yaml:1:1\n(?:.*\n)*? +\+ retries +3/,
    );
    expect(out).toMatch(/create edge\/pets-listpets \(platform:GatewayRoute\)[^]*?preserveHost +true/);
    expect(out).toMatch(/create edge\/pets-getowner \(platform:GatewayRoute\) {2}specs\/pets\.yaml:13:5/);
  });

  it('says where in the specification something stands in the way', async () => {
    await program.write({ 'specs/pets.yaml': specification('/pets', 'security:\n  - none: []\n') });
    const { code, out } = await program.run('validate');
    expect(code).toBe(1);
    expect(out).toContain(
      'specs/pets.yaml:7:1  specification-not-usable  specs/pets.yaml requires the security scheme none, which is not there.',
    );
  });

  it.each([
    ['a key of a map over those that are merged into it', '{path: /mine, <<: {path: /other}}', undefined],
    ['a key that is there twice', '{path: /a, path: /b}', 'the key "path" is there twice'],
    [
      'aliases that stand for more than anybody writes',
      `[${Array.from({ length: 30 }, (_, at) => `&x${String(at)} [${at === 0 ? 'a' : `*x${String(at - 1)}, *x${String(at - 1)}`}]`).join(', ')}]`,
      'its aliases stand for too many values',
    ],
  ])('reads %s as the check of specifications does', async (_, value, mistake) => {
    await program.write({ 'specs/pets.yaml': specification('/pets', `${extensions.service}: ${value}\n`) });
    const { code, out } = await program.run(mistake === undefined ? 'plan' : 'validate');
    if (mistake === undefined) expect(out).toMatch(/GatewayService[^]*? path +"?\/mine/);
    else expect(`${String(code)} ${out}`).toMatch(new RegExp(`^1 [^]*specs/pets\\.yaml can't be read: ${mistake}`));
  });

  it('refuses a setting that its object does not have', async () => {
    await program.write({ 'specs/pets.yaml': specification('/pets', `${extensions.service}: {retrys: 1}\n`) });
    const { out } = await program.run('validate');
    expect(out).toContain('sets retrys, which a GatewayService does not have');
  });
});
