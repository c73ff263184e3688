import { describe, expect, it } from 'vitest';
import type { Json, JsonObject } from '@platform-sync/core/model/value';
import { freshWorlds } from '../../harness/fresh-worlds.js';
import { actionsOf, type World } from '../../harness/world.js';

let world: World;
freshWorlds((made) => (world = made));

interface Case {
  /** Makes what somebody else manages: the object above and a neighbour of ours. Gives the path of the object above. */
  readonly theirs: () => Promise<string>;
  /** Below the path of the object above. */
  readonly list: string;
  readonly file: string;
  /** What ours and theirs are called there. */
  readonly ours: string;
  readonly neighbour: string;
  /** Edits of the object above and of ours, as others make them. */
  readonly editAbove: JsonObject;
  readonly editOurs: JsonObject;
  readonly method: 'PATCH' | 'PUT';
}

async function make(path: string, body: JsonObject): Promise<string> {
  const { status, body: made } = await world.call('POST', path, body);
  if (status >= 300) throw new Error(`${path}: ${status} ${JSON.stringify(made)}`);
  return `${path}/${(made as { id: string }).id}`;
}

const cases: Readonly<Record<string, Case>> = {
  'a document of an API': {
    theirs: async () => {
      const api = await make('/v3/apis', { name: 'Petstore', version: '1', labels: { team: 'others' } });
      await make(`${api}/documents`, { title: 'Theirs', slug: 'theirs', content: 'Theirs' });
      return api;
    },
    list: 'documents',
    file: `
variables:
  above: !lookup {function: platform:getApi, arguments: {name: Petstore}}
resources:
  ours: {type: platform:ApiDocument, properties: {apiId: "\${above.id}", title: Ours, content: Ours}}
`,
    ...{ ours: 'Ours', neighbour: 'Theirs', method: 'PATCH' },
    ...{ editAbove: { description: 'Edited' }, editOurs: { title: 'Edited' } },
  },
  'a service of a gateway': {
    theirs: async () => {
      const plane = await make('/v2/control-planes', { name: 'shop' });
      await make(`${plane}/core-entities/services`, { name: 'theirs', host: 'theirs.example.com' });
      return plane;
    },
    list: 'core-entities/services',
    file: `
variables:
  above: !lookup {function: platform:getGatewayControlPlane, arguments: {filter: {name: {eq: shop}}}}
resources:
  ours: {type: platform:GatewayService, properties: {controlPlaneId: "\${above.id}", name: ours, host: ours.example.com}}
`,
    ...{ ours: 'ours', neighbour: 'theirs', method: 'PUT' },
    ...{ editAbove: { description: 'Edited' }, editOurs: { name: 'ours', host: 'edited.example.com' } },
  },
  'a page of a portal': {
    theirs: async () => {
      const { body } = await world.call('GET', '/v3/portals?filter[name][eq]=dev');
      const portal = `/v3/portals/${(body as { data: { id: string }[] }).data[0]?.id ?? ''}`;
      await make(`${portal}/pages`, { title: 'Theirs', slug: 'theirs', content: 'Theirs' });
      return portal;
    },
    list: 'pages',
    file: `
variables:
  above: !lookup {function: platform:getPortal, arguments: {filter: {name: {eq: dev}}}}
resources:
  ours: {type: platform:PortalPage, properties: {portalId: "\${above.id}", title: Ours, slug: ours, content: Ours}}
`,
    ...{ ours: 'Ours', neighbour: 'Theirs', method: 'PATCH' },
    ...{ editAbove: { description: 'Edited' }, editOurs: { title: 'Edited' } },
  },
};

describe.each(Object.entries(cases))('%s that somebody else manages', (_, each) => {
  const inside = async (above: string): Promise<readonly JsonObject[]> => {
    const { body } = await world.call('GET', `${above}/${each.list}`);
    return (body as { data: readonly JsonObject[] }).data;
  };
  const names = async (above: string): Promise<readonly Json[]> =>
    (await inside(above)).map(({ title = null, name = title }) => name).sort();
  it('is planned, applied, checked and destroyed, and nothing of what it lives in is claimed', async () => {
    const above = await each.theirs();
    const { body: before } = await world.call('GET', above);
    await world.write({ 'catalogue/a.yaml': each.file });
    expect(actionsOf(await world.plan())).toEqual(['create ours']);
    await world.apply();
    expect(await names(above)).toEqual([each.ours, each.neighbour].sort());
    expect(actionsOf(await world.plan())).toEqual([]);

    // State knows ours alone.
    const { resources } = await world.open(async (project) => (await project.state()).read());
    expect([...resources.keys()]).toEqual(['ours']);

    // What others do to theirs is no business of ours.
    await world.call('PATCH', above, each.editAbove);
    const calm = await world.open((project) => project.drift());
    expect([calm.status, calm.findings]).toEqual(['clean', []]);
    expect(actionsOf(await world.plan())).toEqual([]);

    // What they do to ours is.
    const mine = (await inside(above)).find(({ title = null, name = title }) => name === each.ours);
    await world.call(each.method, `${above}/${each.list}/${String(mine?.['id'] as string)}`, each.editOurs);
    const drift = await world.open((project) => project.drift());
    expect(drift.findings.map(({ address }) => address)).toEqual(['ours']);
    expect(actionsOf(await world.plan())).toEqual(['update ours']);
    await world.apply();

    const destroyed = await world.planResult({ mode: 'destroy', allow: [] });
    expect(destroyed.plan?.steps.map(({ action, address }) => `${action} ${address}`)).toEqual(['delete ours']);
    await world.apply({ mode: 'destroy' });
    expect(await names(above)).toEqual([each.neighbour]);
    const { status, body: after } = await world.call('GET', above);
    expect(status).toBe(200);
    const plain = ({ updated_at: _, ...rest }: JsonObject): JsonObject => rest;
    expect(plain(after as JsonObject)).toEqual({ ...plain(before as JsonObject), ...each.editAbove });
  });

  it('moves nowhere and claims nothing when what it lives in goes', async () => {
    const above = await each.theirs();
    await world.write({ 'catalogue/a.yaml': each.file });
    await world.apply();
    await world.call('DELETE', above);
    await world.resetRequests();
    const { plan, diagnostics } = await world.planResult();
    const { byRoute } = await world.requests();
    expect(plan).toBeUndefined();
    expect(diagnostics.filter(({ severity }) => severity === 'error').map(({ code }) => code)).toEqual([
      'nothing-found',
    ]);
    expect(Object.keys(byRoute).filter((route) => !route.startsWith('GET '))).toEqual([]);
  });
});
