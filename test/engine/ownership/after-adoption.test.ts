import { describe, expect, it } from 'vitest';
import type { JsonObject } from '@platform-sync/core/model/value';
import { freshWorlds } from '../../harness/fresh-worlds.js';
import type { World } from '../../harness/world.js';

/** To adopt an object changes nothing, and says what the next plan does to it. */

let world: World;
freshWorlds((made) => (world = made));

const plane = '8a1c6f0e-2f0b-4c55-9b7e-0d6d2c1f0a01';
const services = ['8a1c6f0e-2f0b-4c55-9b7e-0d6d2c1f0b01', '8a1c6f0e-2f0b-4c55-9b7e-0d6d2c1f0b02'] as const;
const write = (description: string, service: string): Promise<void> =>
  world.write({
    'catalogue/all.yaml': {
      resources: {
        shop: {
          type: 'platform:Api',
          properties: { name: 'Shop', description },
          children: {
            impl: {
              type: 'platform:ApiImplementation',
              properties: { serviceReference: { service: { controlPlaneId: plane, id: service } } },
            },
          },
        },
      },
    } satisfies JsonObject,
  });

async function forgotten(): Promise<Readonly<Record<string, string>>> {
  await write('as it is', services[0]);
  await world.apply();
  const { resources } = await world.open(async (project) => (await project.state()).read());
  world.loseState();
  return Object.fromEntries([...resources].map(([address, { identity }]) => [address, identity.id]));
}

describe('what the next plan does to an adopted object', () => {
  it('is told where ids are said: an implementation that is linked to another service is replaced', async () => {
    const ids = await forgotten();
    await write('another', services[1]);
    const requests = [
      { address: 'shop', id: ids['shop'] ?? '' },
      { address: 'shop/impl', id: JSON.stringify({ api_id: ids['shop'], id: ids['shop/impl'] }) },
    ];
    const { diagnostics } = await world.open((project) => project.importResources(requests));
    expect(diagnostics.map(({ severity, code, address }) => [severity, code, address])).toEqual([
      ['info', 'adopted-changed', 'shop'],
      ['warning', 'adopted-replaced', 'shop/impl'],
    ]);
    expect(diagnostics[0]?.summary).toContain('description "as it is" → "another"');
    const { steps } = await world.plan();
    expect(steps.map(({ action, address }) => `${action} ${address}`)).toEqual(['update shop', 'replace shop/impl']);
  });

  it('is told in the plan of what was found by keys', async () => {
    await forgotten();
    await write('another', services[0]);
    const { notices, steps } = await world.plan({ mode: 'adopt' });
    expect(steps.map(({ action, address }) => `${action} ${address}`)).toEqual(['adopt shop', 'adopt shop/impl']);
    expect(notices.map(({ code, address }) => [code, address])).toEqual([['adopted-changed', 'shop']]);
  });

  it('is nothing where the catalogue says what the object has', async () => {
    await forgotten();
    expect((await world.plan({ mode: 'adopt' })).notices).toEqual([]);
  });
});

it('what no answer shows of it is told, also where ids are said', async () => {
  await world.write({
    'catalogue/all.yaml': {
      resources: {
        front: {
          type: 'platform:Portal',
          properties: { name: 'Front' },
          children: { auth: { type: 'platform:PortalAuth', properties: { oidcClientSecret: 'as-the-file-says' } } },
        },
      },
    } satisfies JsonObject,
  });
  await world.apply();
  const { resources } = await world.open(async (project) => (await project.state()).read());
  const id = resources.get('front')?.identity.id ?? '';
  world.loseState();
  const requests = ['front', 'front/auth'].map((address) => ({ address, id }));
  const { diagnostics } = await world.open((project) => project.importResources(requests));
  const assumed = diagnostics.filter(({ code }) => code === 'assumed-equal');
  expect(assumed.map(({ address, field, hint }) => [address, field, hint])).toEqual([
    ['front/auth', 'oidcClientSecret', 'If it may differ, send it again: sync apply --resend front/auth'],
  ]);
});
