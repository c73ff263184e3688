import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { freshWorlds } from '../../harness/fresh-worlds.js';
import type { World } from '../../harness/world.js';

const strategy = (name: string): string =>
  `  ${name}: {type: platform:ApplicationAuthStrategy, properties: {displayName: ${name}, strategyType: key_auth, keyAuth: {keyNames: [k]}}}\n`;
const field = 'defaultApplicationAuthStrategyId';

describe('a reference whose object was exchanged on the platform', () => {
  let world: World;
  freshWorlds((made) => (world = made));

  const idOf = (address: string): Promise<string> =>
    world.open(async (project) => (await (await project.state()).read()).resources.get(address)?.identity.id ?? '');

  /** Applied, with the portal led to what has this id. */
  async function led(main: string, idOfOther: () => Promise<string>): Promise<void> {
    await world.write({ 'catalogue/main.yaml': main });
    await world.apply();
    const body = { default_application_auth_strategy_id: await idOfOther() };
    const { status } = await world.call('POST', `/_sandbox/objects/portals/${await idOf('front')}`, body);
    expect([200, 204]).toContain(status);
  }
  const accept = () => world.open((project) => project.acceptDrift(['front']));
  const text = (): Promise<string> => readFile(join(world.folder, 'catalogue/main.yaml'), 'utf8');

  it.each([
    ['plainly', `  front: # portal\n    type: platform:Portal\n    properties:\n      ${field}: \${a.id} # why\n`],
    ['in quotes', `  front:\n    type: platform:Portal\n    properties: { ${field}: "\${a.id}" } # why\n`],
    ['in single quotes', `  front:\n    type: platform:Portal\n    properties:\n      "${field}": '\${a.id}'\n`],
    [
      'with line ends of another system',
      `  front:\r\n    type: platform:Portal\r\n    properties:\r\n      ${field}: \${a.id} # why\r\n`,
    ],
  ])(
    'becomes one to the object that the catalogue has, written %s; nothing else moves, and nothing is left to do',
    async (_how, front) => {
      const main = `# head\nresources:\n${strategy('a')}${strategy('b')}${front}# foot\n`;
      await led(main, () => idOf('b'));
      const { findings } = await world.open((project) => project.drift());
      expect(findings.map(({ verbs }) => verbs.includes('accept'))).toEqual([true]);
      expect(await accept()).toMatchObject({ accepted: [{ address: 'front', field }], skipped: [] });
      expect(await text()).toBe(main.replace('${a.id}', '${b.id}'));
      expect((await world.plan()).steps).toEqual([]);
    },
  );

  it('stays where nobody describes that object, with what to do', async () => {
    const front = `  front:\n    type: platform:Portal\n    properties:\n      ${field}: \${a.id}\n`;
    const main = `resources:\n${strategy('a')}${front}`;
    let id = '';
    await led(main, async () => {
      const sent = {
        name: 'c',
        display_name: 'c',
        strategy_type: 'key_auth',
        configs: { 'key-auth': { key_names: ['k'] } },
      };
      const { body } = await world.call('POST', '/v2/application-auth-strategies', sent);
      return (id = (body as { id: string }).id);
    });
    const { skipped } = await accept();
    expect(skipped.map(({ why }) => why)).toEqual([
      `the catalogue has the reference \${a.id} here, and describes no object that is ${id}: describe that one, take it over with sync adopt, and accept again`,
    ]);
    expect(await text()).toBe(main);
  });

  it('stays where others share it', async () => {
    const portal = (name: string, reference: string): string =>
      `  ${name}:\n    type: platform:Portal\n    properties: { name: ${name}, ${field}: ${reference} }\n`;
    const main = `resources:\n${strategy('a')}${strategy('b')}${portal('front', '&s "${a.id}"')}${portal('back', '*s')}`;
    await led(main, () => idOf('b'));
    expect((await accept()).accepted).toEqual([]);
    expect(await text()).toBe(main);
  });
});
