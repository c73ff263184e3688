import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { actionsOf, makeWorld, type World } from '../harness/world.js';

let world: World;
beforeAll(async () => {
  world = await makeWorld({});
});
beforeEach(async () => {
  await world.call('POST', '/_sandbox/reset');
  world.loseState();
});
afterAll(() => world.close());

const plane = 'plane: {type: "platform:GatewayControlPlane", properties: {name: shop}}';
/** A service whose tag is what the plugin is to be called. */
const service = (tag: string): string =>
  `orders: {type: "platform:GatewayService", properties: {controlPlaneId: "\${plane.id}", name: orders, host: a.example.com, tags: [${tag}]}}`;
const lookup =
  '!lookup {function: "platform:getGatewayService", arguments: {controlPlaneId: "${plane.id}", name: orders}, return: tags}';

/** A plugin whose name is what `name` says. */
async function write(name: string | undefined, tag: string, variables = '{}'): Promise<void> {
  const plugin = `plugin: {type: "platform:GatewayCustomPlugin", properties: {controlPlaneId: "\${plane.id}", name: ${name ?? ''}, instanceName: late}, options: {dependsOn: [orders]}}`;
  const blocks = [plane, service(tag), ...(name === undefined ? [] : [plugin])];
  await world.write({
    'catalogue/all.yaml': `variables: ${variables}\nresources:\n${blocks.map((block) => `  ${block}\n`).join('')}`,
  });
}

const wrong = {
  code: 'broken-rule',
  summary: expect.stringContaining(`can't be "acl": platform:GatewayPluginACL is the type for it`) as string,
  place: { file: 'catalogue/all.yaml' },
  address: 'plugin',
  field: 'name',
  hint: 'The value comes from a lookup or from another object: change what it refers to, or the reference.',
};

describe('the name of a plugin that files do not say', () => {
  it.each<[string, string, string]>([
    ['is that of another object', '"${orders.tags[0]}"', '{}'],
    ['is a text with one in it', '"a${orders.tags[0]}"', '{}'],
    ['is in a variable', '"${kind[0]}"', '{kind: "${orders.tags}"}'],
    ['is looked up', '"${kind[0]}"', `{kind: ${lookup}}`],
  ])('and %s is held against the kinds before anything is sent', async (_, name, variables) => {
    const kind = name.startsWith('"a') ? 'cl' : 'acl';
    await write(undefined, kind);
    await world.apply();
    await write(name, kind, variables);
    await world.resetRequests();
    const { plan, diagnostics } = await world.planResult();
    expect(plan).toBeUndefined();
    expect(diagnostics.filter(({ severity }) => severity === 'error')).toMatchObject([wrong]);
    expect(Object.keys((await world.requests()).byRoute).filter((route) => !route.startsWith('GET '))).toEqual([]);
    await write(undefined, 'sign');
    await world.apply();
    await write(name, 'sign', variables);
    expect(actionsOf(await world.plan())).toEqual(['create plugin']);
  });

  it('and is only known while applying ends its step before it is sent', async () => {
    await write('"${kind[0]}"', 'acl', `{kind: ${lookup}}`);
    const { steps } = await world.open(async (project) => project.apply(await project.plan()));
    expect(steps.map(({ address, outcome }) => [address, outcome])).toEqual([
      ['plane', 'done'],
      ['orders', 'done'],
      ['plugin', 'failed'],
    ]);
    expect(steps.at(-1)?.diagnostics).toMatchObject([wrong]);
    expect(Object.keys((await world.requests()).byRoute).filter((route) => /POST .*plugins/.test(route))).toEqual([]);
    await write(undefined, 'sign');
    await world.apply();
    await write('"${kind[0]}"', 'sign', `{kind: ${lookup}}`);
    await world.apply();
    expect(actionsOf(await world.plan())).toEqual([]);
  });
});
