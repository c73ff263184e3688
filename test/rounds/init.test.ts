import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { realWorld } from '@platform-sync/core/model/world';
import { openProject } from '@platform-sync/engine/engine';
import { providerPackages } from '@platform-sync/sdk/registry';
import { fakeProgram } from '../cli/fake-host.js';
import { realProgram, type RealProgram } from '../cli/real-program.js';

/** `sync init` in a folder where something stands already, or on a platform that has something. */

let program: RealProgram;
const pets = '{"openapi": "3.0.3", "info": {"title": "Pets", "version": "1.0"}, "paths": {}}';

beforeAll(async () => {
  program = await realProgram({ PLATFORM_TOKEN: 'any' }, { empty: true });
  await program.call('POST', '/v3/apis', { name: 'Owners' });
});
afterAll(() => program.close());

/** In a folder of its own. */
const init = async (folder: string, answers: string[], ...flags: string[]) => {
  await program.write({ [`${folder}/specs/pets.json`]: pets });
  const { run } = fakeProgram({
    answers,
    host: {
      ...{ env: program.env, cwd: program.folder, interactive: answers.length > 0, world: realWorld, openProject },
      packages: async () => providerPackages,
    },
  });
  return run('init', '-C', folder, ...flags);
};

const names = async (folder: string): Promise<string> =>
  (
    await program.run('-C', folder, 'plan', '--format', 'json', '--fields', 'steps.action,steps.address')
  ).out.replaceAll(/\s+/g, '');

describe('sync init', () => {
  it.each([
    ['by a flag', 'flag', [], ['--from-platform']],
    ['by an answer', 'asked', ['shop', '2'], []],
  ])('begins with what the platform has: %s', async (_how, folder, answers, flags) => {
    const { code, out } = await init(folder, [...answers], ...flags);
    expect([code, out]).toEqual([
      0,
      expect.stringMatching(/wrote sync\.yaml[^]*belong into git[^]*Exported 2 objects/),
    ]);
    expect((await program.run('-C', folder, 'validate')).out).toMatch(/^Valid: 2 resources/);
    expect((await program.run('-C', folder, 'adopt', '--yes')).code).toBe(0);
    expect(await names(folder)).toBe('{"steps":[]}');
  });

  it.each([
    ['by a flag', 'specified', [], ['--from-specifications', 'specs']],
    ['by answers', 'answered', ['', '3', ''], []],
  ])('begins with specifications: %s', async (_how, folder, answers, flags) => {
    expect((await init(folder, [...answers], ...flags)).code).toBe(0);
    expect(await names(folder)).toBe(
      '{"steps":[{"action":"create","address":"pets"},{"action":"create","address":"pets/version"}]}',
    );
  });

  it.each([
    ['a folder outside', '..'],
    ['the project itself', '.'],
    ['what is of the catalogue', 'catalogue/specs'],
    ['a folder that is not there', 'spec'],
  ])('refuses %s, and writes nothing', async (_name, folder) => {
    expect((await init('refused', [], '--from-specifications', folder)).code).toBe(64);
    expect([...(await program.files()).keys()].filter((path) => path.startsWith('refused/'))).toEqual([
      'refused/specs/pets.json',
    ]);
  });

  it('says how to go on where the platform could not be read', async () => {
    program.env = { ...program.env, PLATFORM_TOKEN: '' };
    const { code, err } = await init('unread', [], '--from-platform');
    expect([code, err]).toEqual([1, expect.stringMatching(/type:\n {2}sync -C unread export\n/)]);
  });
});
