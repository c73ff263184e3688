import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Evaluated } from '@platform-sync/engine/api';
import { realProgram, type RealProgram } from '../cli/real-program.js';

const password = 'a-password-of-somebody';

let program: RealProgram;

beforeAll(async () => {
  program = await realProgram({ PLATFORM_TOKEN: 'any', PORTAL_PASSWORD: password });
  await program.write({
    'sync.yaml': `project: pets
providers:
  platform: { personalAccessToken: !env PLATFORM_TOKEN }
parameters:
  region: { default: eu }
stacks:
  default: { overlays: [overlays/*.yaml] }
`,
    'catalogue/pets.yaml': `variables:
  team: { owner: 'pets-\${param.region}' }
  password: !env PORTAL_PASSWORD
  addresses: !lookup { function: platform:getPlatformIpAddresses }
resources:
  petstore:
    type: platform:Api
    properties: { name: Petstore, description: 'by \${team.owner}', labels: { owner: '\${team.owner}' } }
`,
    'overlays/eu.yaml': 'patches:\n  petstore:\n    properties: { name: Petstore EU }\n',
  });
});

afterAll(() => program.close());

const evaluated = async (...words: readonly string[]): Promise<Evaluated> =>
  JSON.parse((await program.run('eval', ...words, '--format', 'json')).out) as Evaluated;

describe('sync eval', () => {
  it('says a value, and of each part on the way where it comes from', async () => {
    const { out } = await program.run('eval', '${petstore.description}, ${petstore.name}');
    expect(out.split('\n')[0]).toBe('"by pets-eu, Petstore EU"');
    expect(out).toMatch(/^ {2}\$\{petstore\.description\} +"by pets-eu" +written at catalogue\/pets\.yaml:8$/m);
    expect(out).toMatch(/^ {4}\$\{team\.owner\} +"pets-eu" +written at catalogue\/pets\.yaml:2$/m);
    expect(out).toMatch(/^ {6}\$\{param\.region\} +"eu" +parameter, by sync\.yaml:5$/m);
    expect(out).toMatch(/^ {2}\$\{petstore\.name\} +"Petstore EU" +overlay overlays\/eu\.yaml:3$/m);
  });

  it('takes what a catalogue file takes, and a name alone', async () => {
    expect((await evaluated('stack')).value).toBe('default');
    expect((await evaluated('team')).value).toEqual({ owner: 'pets-eu' });
    expect((await evaluated('!json { of: "${team.owner}" }')).value).toBe('{"of":"pets-eu"}');
    expect((await evaluated('param.region', '--var', 'region=us')).parts).toEqual([
      { text: '${param.region}', from: 'parameter', place: '--var', value: 'us', depth: 0 },
    ]);
  });

  it('never says a secret', async () => {
    const { out, err } = await program.run('eval', 'x ${password}', '--format', 'json');
    expect(out + err).not.toContain(password);
    expect((JSON.parse(out) as Evaluated).parts).toMatchObject([
      { text: '${password}', value: { $secret: { expression: '!env PORTAL_PASSWORD' } } },
      { text: '!env PORTAL_PASSWORD', from: 'environment', depth: 1 },
    ]);
    expect(out).not.toContain('hmac');
  });

  it('needs no token where it sends nothing, and says when it asks', async () => {
    const { PLATFORM_TOKEN, ...others } = program.env;
    program.env = others;
    expect(await program.run('eval', 'petstore.name')).toMatchObject({ code: 0, err: '' });
    program.env = { ...others, PLATFORM_TOKEN: PLATFORM_TOKEN ?? '' };
    const { code, out, err } = await program.run('eval', '${addresses}', '--format', 'json');
    expect(err).toContain('Asks the platform: platform:index/getPlatformIpAddresses:getPlatformIpAddresses.\n');
    expect(code).toBe(0);
    expect((JSON.parse(out) as Evaluated).value).not.toHaveProperty('$unknown');
  });

  it('says ids once they are recorded, and makes no state to look for them', async () => {
    const before = await evaluated('petstore.id');
    expect(before.value).toEqual({ $unknown: ['petstore.id'] });
    expect([...(await program.files()).keys()].filter((file) => file.includes('.db'))).toEqual([]);
    expect((await program.run('apply', '--yes')).code).toBe(0);
    const { value, parts } = await evaluated('petstore.id');
    expect(value).toMatch(/^[0-9a-f-]{36}$/);
    expect(parts).toMatchObject([{ text: '${petstore.id}', from: 'state', value }]);
  });

  it.each([
    ['petstor.name', /There is no resource or variable "petstor"/],
    ['${petstore.nmae}', /nmae/],
    ['!lookup { function: platform:getTeem }', /getTeem/],
    ['!lookup { function: ', /A bracket is never closed/],
  ])('refuses %s as validate would, at no place of a file', async (expression, message) => {
    const { code, err } = await program.run('eval', expression);
    expect(code).toBe(1);
    expect(err).toMatch(message);
    expect(err).not.toMatch(/expression:\d/);
  });
});
