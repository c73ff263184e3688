import { describe, expect, it } from 'vitest';
import type { Diagnostic } from '@platform-sync/core/model/diagnostic';
import { freshWorlds } from '../harness/fresh-worlds.js';
import type { World } from '../harness/world.js';

let world: World;
freshWorlds((made) => (world = made));

const teams = 'GET /v3/teams';
const portals = 'GET /v3/portals';

async function counts(...routes: readonly string[]): Promise<readonly number[]> {
  const { byRoute } = await world.requests();
  return routes.map((route) => byRoute[route] ?? 0);
}

async function settles(): Promise<void> {
  const second = await world.plan();
  expect([second.steps, second.outputs]).toEqual([[], []]);
}

describe('a lookup in a catalogue', () => {
  it('stands in a property, with one of its outputs', async () => {
    await world.write({
      'catalogue/a.yaml': `
resources:
  petstore:
    type: platform:Api
    properties: {name: Petstore}
    children:
      gateway:
        type: platform:ApiImplementation
        properties:
          controlPlaneReference:
            controlPlane:
              id: !lookup {function: platform:getGatewayControlPlane, arguments: {filter: {name: {eq: default}}}, return: id}
`,
    });
    const plan = await world.plan();
    const found = plan.steps.find((step) => step.address === 'petstore/gateway');
    expect(found?.fields.find(({ field }) => field === 'controlPlaneReference')?.new).toEqual({
      controlPlane: { id: '8a1c6f0e-2f0b-4c55-9b7e-0d6d2c1f0a01' },
    });
    await world.apply();
    await settles();
  });

  it('stands in a variable, whole, and is called once a run however often it is used', async () => {
    await world.write({
      'catalogue/a.yaml': `
variables:
  team: !lookup {function: platform:getTeam, arguments: {filter: {name: {eq: search-viewers-18}}}}
  again:
    fn::invoke: {function: platform:getTeam, arguments: {filter: {name: {eq: search-viewers-18}}}, return: name}
resources:
  a: {type: platform:Api, properties: {description: "Kept by \${team.name}", labels: {area: "\${team.labels.area}"}}}
  b: {type: platform:Api, properties: {description: "\${again}"}}
  c: {type: platform:Api, properties: {description: !lookup {function: platform:getTeam, arguments: {filter: {name: {eq: search-viewers-18}}}, return: description}}}
outputs:
  team: \${team.id}
`,
    });
    const result = await world.apply();
    expect(await counts(teams)).toEqual([1]);
    expect(result.outputs['team']).toBe('8a1c6f0e-2f0b-4c55-9b7e-0d6d2c1f0e12');
    const answer = await world.call('GET', '/v3/apis?filter[name][eq]=a');
    expect(answer.body).toMatchObject({
      data: [{ description: 'Kept by search-viewers-18', labels: { area: 'search' } }],
    });
    await settles();
  });

  it('publishes a document to an API whose description it found', async () => {
    await world.write({
      'catalogue/a.yaml': `
variables:
  portal: !lookup {function: platform:getPortal, arguments: {filter: {name: {eq: dev}}}}
resources:
  petstore:
    type: platform:Api
    children:
      guide:
        type: platform:ApiDocument
        properties: {title: Guide, status: published, content: "See https://\${portal.canonicalDomain}."}
`,
    });
    await world.apply();
    expect(await counts(portals)).toEqual([1]);
    await settles();
  });

  it('of a list can be walked into', async () => {
    await world.write({
      'catalogue/a.yaml': `
variables:
  planes: !lookup {function: platform:getGatewayControlPlaneList, arguments: {filter: {name: {eq: default}}}}
resources:
  petstore: {type: platform:Api, properties: {description: "\${planes.datas[0].config.authType}"}}
`,
    });
    const plan = await world.plan();
    expect(plan.steps[0]?.fields.find(({ field }) => field === 'description')?.new).toBe('pinned_client_certs');
  });
});

const dependent = `
variables:
  owner: !lookup
    function: platform:getTeamList
    arguments: {filter: {name: {contains: "\${petstore.slug}"}}}
resources:
  petstore: {type: platform:Api, properties: {name: payments}}
  one: {type: platform:Api, properties: {description: "\${owner.datas[0].name}"}}
  two:
    type: platform:Api
    properties:
      description: !lookup
        function: platform:getTeamList
        arguments: {filter: {name: {contains: "\${petstore.slug}"}}}
        return: id
outputs:
  owner: \${owner.datas[0].id}
`;

async function noticed(): Promise<unknown> {
  const plan = await world.plan();
  const step = plan.steps.find(({ address }) => address === 'notice');
  return step?.fields.find(({ field }) => field === 'description')?.new;
}

describe('a lookup whose argument depends on a resource created in the same run', () => {
  it('is known after apply, called once during it, and settles', async () => {
    await world.write({ 'catalogue/a.yaml': dependent });
    const plan = await world.plan();
    expect(await counts(teams)).toEqual([0]);
    const one = plan.steps.find(({ address }) => address === 'one');
    expect(one?.fields.find(({ field }) => field === 'description')?.new).toEqual({ $unknown: ['petstore.slug'] });
    expect(one?.dependsOn).toEqual(['petstore']);
    expect(plan.outputs).toEqual([{ name: 'owner', new: { $unknown: ['petstore.slug'] } }]);
    expect(plan.lookups).toEqual({});
    const result = await world.apply();
    expect(await counts(teams)).toEqual([1]);
    expect(result.outputs['owner']).toMatch(/^8a1c6f0e-/);
    await settles();
  });

  it('waits for what the files call it, and for another name', async () => {
    const catalogue = `
variables: {its: "\${petstore.name}"}
resources:
  petstore: {type: platform:Api, properties: {name: payments}}
  notice:
    type: platform:Api
    properties: {description: !lookup {function: platform:getApi, arguments: {name: "\${its}"}, return: id}}
`;
    await world.write({ 'catalogue/a.yaml': catalogue });
    expect(await noticed()).toEqual({ $unknown: ['petstore.name'] });
    await world.apply();
    await settles();
    await world.write({ 'catalogue/a.yaml': catalogue.replace('name: payments', 'name: paid') });
    expect(await noticed()).toEqual({ $unknown: ['petstore.name'] });
    await world.apply();
    await settles();
  });

  it('that finds nothing fails its step only, at its line', async () => {
    await world.write({
      'catalogue/a.yaml': dependent
        .replace('getTeamList', 'getTeam')
        .replaceAll('owner.datas[0]', 'owner')
        .replace('name: payments', 'name: nobody at all'),
    });
    const planned = await world.open(async (project) => project.apply(await project.plan()));
    expect(planned.status).toBe('partly');
    const failed = planned.steps.filter(({ outcome }) => outcome === 'failed');
    expect(failed.map(({ address }) => address)).toEqual(['one']);
    expect(failed[0]?.diagnostics?.map(shown)).toEqual(['catalogue/a.yaml:4:5 nothing-found']);
  });
});

describe('what a plan rests on', () => {
  const catalogue = `
resources:
  petstore: {type: platform:Api, properties: {description: !lookup {function: platform:getTeam, arguments: {filter: {name: {eq: search-viewers-18}}}, return: description}}}
`;

  it('is in it, by call', async () => {
    await world.write({ 'catalogue/a.yaml': catalogue });
    const plan = await world.plan();
    expect(Object.keys(plan.lookups)).toEqual([
      'platform:index/getTeam:getTeam {"filter":{"name":{"eq":"search-viewers-18"}}}',
    ]);
    expect(Object.values(plan.lookups)[0]).toMatch(/^[0-9a-f]{64}$/);
    expect((await world.plan()).digest).toBe(plan.digest);
  });

  it('must still be so when a reviewed plan is applied', async () => {
    await world.write({ 'catalogue/a.yaml': catalogue });
    const reviewed = await world.plan();
    await world.call('POST', '/_sandbox/objects/teams/8a1c6f0e-2f0b-4c55-9b7e-0d6d2c1f0e12', { description: 'Others' });
    const result = await world.open((project) => project.applyReviewed(reviewed));
    expect(result.status).toBe('stale');
    expect(await counts('POST /v3/apis')).toEqual([0]);
  });

  it('has no secret argument', async () => {
    world.env['TEAM_NAME'] = 'search-viewers-18';
    world.env['SYNC_POLICY'] = '{"lookups": ["TEAM_NAME"]}';
    await world.write({
      'catalogue/a.yaml': catalogue.replace('{eq: search-viewers-18}', '{eq: !env TEAM_NAME}'),
    });
    const plan = await world.plan();
    expect(Object.keys(plan.lookups)).toHaveLength(1);
    expect(JSON.stringify(plan)).not.toContain('search-viewers-18');
  });
});

describe('a lookup that goes wrong', () => {
  const lookup = (inner: string): string => `
resources:
  petstore:
    type: platform:Api
    properties:
      description: !lookup {function: platform:${inner}, return: id}
`;
  const wrong: readonly (readonly [string, string, string])[] = [
    ['finds none', 'getTeam, arguments: {filter: {name: {eq: nobody}}}', 'nothing-found'],
    ['finds several', 'getTeam, arguments: {filter: {name: {contains: search}}}', 'several-found'],
    ['sorts by what there is not', 'getPortal, arguments: {sort: colour}', 'invalid-sort'],
  ];

  it.each(wrong)('because it %s is told at its line', async (_name, inner, code) => {
    await world.write({ 'catalogue/a.yaml': lookup(inner) });
    const { plan, diagnostics } = await world.planResult();
    expect(plan).toBeUndefined();
    expect(diagnostics.map(shown)).toEqual([`catalogue/a.yaml:6:28 ${code}`]);
  });

  it('is told together with the others', async () => {
    await world.write({
      'catalogue/a.yaml': lookup('getTeam, arguments: {filter: {name: {eq: nobody}}}'),
      'catalogue/b.yaml': lookup('getPortal, arguments: {filter: {name: {eq: nowhere}}}').replace('petstore', 'other'),
    });
    const { diagnostics } = await world.planResult();
    expect(diagnostics.map(shown).sort()).toEqual([
      'catalogue/a.yaml:6:28 nothing-found',
      'catalogue/b.yaml:6:28 nothing-found',
    ]);
  });

  it('with a secret argument does not say it', async () => {
    world.env['TEAM_NAME'] = 'canary-team';
    world.env['SYNC_POLICY'] = '{"lookups": ["TEAM_NAME"]}';
    await world.write({ 'catalogue/a.yaml': lookup('getTeam, arguments: {filter: {name: {eq: !env TEAM_NAME}}}') });
    const { diagnostics } = await world.planResult();
    expect(diagnostics.map(({ code }) => code)).toEqual(['nothing-found']);
    expect(JSON.stringify(diagnostics)).not.toContain('canary');
  });
});

function shown({ place, code }: Diagnostic): string {
  return `${place?.file ?? '?'}:${String(place?.line)}:${String(place?.column)} ${code}`;
}
