import { describe, expect, it } from 'vitest';
import { freshWorlds } from '../../harness/fresh-worlds.js';
import { actionsOf, type World } from '../../harness/world.js';

let world: World;
freshWorlds((made) => (world = made));

const gateways = '/v2/control-planes';

/** A gateway that somebody else keeps, with services and an upstream; gives its id. */
async function foreignGateway(services = 3): Promise<string> {
  const plane = (await world.call('POST', gateways, { name: 'shop' })).body as { id: string };
  const core = `${gateways}/${plane.id}/core-entities`;
  for (let at = 1; at <= services; at++)
    await world.call('POST', `${core}/services`, { name: `service-${at}`, host: `s${at}.example.com` });
  await world.call('POST', `${core}/upstreams`, { name: 'orders' });
  return plane.id;
}

const route = (at: number): string => `
  route-${at}:
    type: platform:GatewayRoute
    properties:
      controlPlaneId: \${plane.id}
      name: route-${at}
      paths: [/r${at}]
      serviceId: !lookup
        function: platform:getGatewayService
        arguments: {controlPlaneId: "\${plane.id}", name: service-${at}}
        return: id
`;
const plane = `
variables:
  plane: !lookup {function: platform:getGatewayControlPlane, arguments: {filter: {name: {eq: shop}}}}
`;

describe('a lookup that follows from a type', () => {
  it('finds by name what others made; however many ask, the list is read once', async () => {
    const id = await foreignGateway(12);
    await world.write({
      'catalogue/a.yaml': `${plane}resources:${Array.from({ length: 12 }, (_, at) => route(at + 1)).join('')}`,
    });
    await world.resetRequests();
    const plan = await world.plan();
    const { byRoute } = await world.requests();
    expect(plan.steps).toHaveLength(12);
    const lists = Object.entries(byRoute).filter(([route]) => /^GET .*core-entities.services$/.test(route));
    expect(lists.map(([, count]) => count)).toEqual([1]);
    await world.apply();
    expect(actionsOf(await world.plan())).toEqual([]);
    const { body } = await world.call('GET', `${gateways}/${id}/core-entities/routes?size=100`);
    const routes = (body as { data: { service: { id: string } }[] }).data;
    expect(new Set(routes.map(({ service }) => service.id)).size).toBe(12);
  });

  it('waits for an object of the same run, and settles', async () => {
    await world.write({
      'catalogue/a.yaml': `
resources:
  petstore: {type: platform:Api, properties: {name: Petstore, description: Pets}}
  other:
    type: platform:Api
    properties:
      description: !lookup {function: platform:getApi, arguments: {filter: {name: "\${petstore.name}", id: "\${petstore.id}"}}, return: description}
outputs:
  apis: !lookup {function: platform:getApiList, arguments: {filter: {name: {contains: pet}}}}
`,
    });
    await world.apply();
    const again = await world.plan();
    expect(actionsOf(again)).toEqual([]);
    const { body } = await world.call('GET', '/v3/apis?filter[name][eq]=other');
    expect(body).toMatchObject({ data: [{ description: 'Pets' }] });
  });

  it.each([
    ['{function: platform:getGatewayServic, arguments: {}}', 'unknown-lookup', 'getGatewayService'],
    ['{function: platform:getCMEKList, arguments: {}}', 'unknown-lookup', ''],
    ['{function: platform:getGatewayService, arguments: {name: a}, return: id}', 'missing-property', ''],
    ['{function: platform:getApi, arguments: {nam: a}, return: id}', 'unknown-property', 'name'],
    ['{function: platform:getApi, arguments: {filter: {nam: a}}, return: id}', 'unknown-property', 'name'],
    ['{function: platform:getApi, arguments: {name: 3}, return: id}', 'wrong-type', ''],
    [
      '{function: platform:getApi, arguments: {filter: {name: {contain: a}}}, return: id}',
      'unknown-property',
      'contains',
    ],
    ['{function: platform:getApiDocument, arguments: {apiId: pets, name: a}, return: id}', 'not-an-id', '!lookup'],
    ['{function: platform:getApiDocument, arguments: {apiId: a, name: a}, return: id}', 'not-an-id', '${a.id}'],
    [
      '{function: platform:getApiDocument, arguments: {apiId: "${bundle.id}", name: a}, return: id}',
      'wrong-reference',
      '',
    ],
    [
      '{function: platform:getApiDocument, arguments: {apiId: "${bundle.portalIds}", name: a}, return: id}',
      'wrong-type',
      '',
    ],
    [
      '{function: platform:getApiPublicationList, arguments: {filter: {apiId: "${bundle.id}"}}, return: id}',
      'wrong-reference',
      '',
    ],
    ['{function: platform:getApi, arguments: {name: a}, return: ids}', 'unknown-property', 'id'],
    ['{function: platform:getApi, arguments: {name: a}, return: specContent}', 'unknown-property', ''],
  ])('that is written wrongly is an error at its place: %s', async (text, code, hint) => {
    await world.write({
      'catalogue/a.yaml': `\nresources:\n  a: {type: platform:Api, properties: {description: !lookup ${text}}}
  bundle: {type: platform:ApiProduct, properties: {name: Bundle, portalIds: []}}\n`,
    });
    const { diagnostics } = await world.open((project) => project.validate());
    expect(diagnostics.map(({ code: found }) => found)).toEqual([code]);
    expect(diagnostics[0]?.place?.line).toBe(3);
    expect(`${diagnostics[0]?.hint ?? ''}`).toContain(hint);
  });

  it('gives the id of its type, and no other is taken for it', async () => {
    await world.write({
      'catalogue/a.yaml': `
resources:
  a: {type: platform:ApiDocument, properties: {content: a, apiId: !lookup {function: platform:getApiProduct, arguments: {name: a}, return: id}}}
`,
    });
    const { diagnostics } = await world.open((project) => project.validate());
    expect(diagnostics.map(({ code, summary }) => [code, summary])).toEqual([
      ['wrong-reference', '"apiId" of a takes the id of a platform:Api, the lookup is that of a platform:ApiProduct.'],
    ]);
  });

  it('that finds none, or several, fails at its line and names what there is', async () => {
    await foreignGateway();
    await world.call('POST', '/v3/apis', { name: 'Pets', version: '1' });
    await world.call('POST', '/v3/apis', { name: 'Pets', version: '2' });
    await world.write({
      'catalogue/a.yaml': `${plane}resources:
  a: {type: platform:Api, properties: {description: !lookup {function: platform:getApi, arguments: {name: Pets}, return: id}}}
`,
    });
    const { diagnostics } = await world.planResult();
    expect(diagnostics.map(({ code, place }) => [code, place?.line]).sort()).toEqual([['several-found', 5]]);
    await world.write({ 'catalogue/a.yaml': `${plane}resources:${route(9)}` });
    const none = await world.planResult();
    expect(none.diagnostics.map(({ code, place }) => [code, place?.line])).toEqual([['nothing-found', 12]]);
    expect(none.diagnostics[0]?.hint).toContain('There are service-1, service-2');
  });

  it('never lets out a secret of the object', async () => {
    const id = await foreignGateway();
    await world.call('POST', `${gateways}/${id}/core-entities/consumers`, { username: 'ann' });
    await world.write({
      'catalogue/a.yaml': `${plane}
outputs:
  all: !lookup {function: platform:getGatewayPluginSamlList, arguments: {controlPlaneId: "\${plane.id}"}, return: datas}
`,
    });
    await world.call('POST', `${gateways}/${id}/core-entities/plugins`, {
      name: 'saml',
      config: {
        assertion_consumer_path: '/c',
        idp_sso_url: 'https://i.example.com',
        issuer: 'a',
        session_secret: 'canary'.padEnd(32, '-'),
      },
    });
    const { body } = await world.call('GET', `${gateways}/${id}/core-entities/plugins`);
    expect(JSON.stringify(body)).toContain('canary');
    const { plan } = await world.planResult();
    expect(plan?.outputs.map(({ name }) => name)).toEqual(['all']);
    expect(JSON.stringify(plan)).not.toContain('canary');
  });
});
