import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { realProgram, type RealProgram } from '../cli/real-program.js';

let program: RealProgram;
beforeAll(async () => {
  program = await realProgram({ PLATFORM_TOKEN: 'test-token', OWNER: 'canary-ann' });
  await program.write({
    'sync.yaml': 'project: shop\n',
    'catalogue/a.yaml': `resources:
  pets: { type: platform:Api, children: { guide: { type: platform:ApiDocument, properties: { title: Guide, content: Text } } } }
  cats: { type: platform:Api }
outputs: { name: "\${pets.name}", list: [a, "\${cats.name}"], owner: !env OWNER }
`,
  });
});
afterAll(() => program.close());

describe('sync output', () => {
  it('says that there is none yet', async () => {
    expect(await program.run('output')).toMatchObject({ code: 0, out: 'No outputs.\n' });
    expect(JSON.parse((await program.run('output', '--format', 'json')).out)).toEqual({});
  });

  it('prints what the last apply recorded, secrets sealed', async () => {
    expect((await program.run('apply', '--yes')).code).toBe(0);
    const { out } = await program.run('output');
    expect(out).toBe('list = ["a", "cats"]\nname = "pets"\nowner = (secret !env OWNER)\n');
    expect(await program.run('output', 'name')).toMatchObject({ code: 0, out: 'pets\n' });
    expect(await program.run('output', 'list')).toMatchObject({ code: 0, out: '["a", "cats"]\n' });
    expect(JSON.parse((await program.run('output', 'list', '--format', 'json')).out)).toEqual(['a', 'cats']);
    expect(JSON.parse((await program.run('output', '--format', 'json')).out)).toMatchObject({ name: 'pets' });
  });

  it.each([
    ['nmae', 'output-unknown', 'did you mean name?'],
    ['owner', 'output-secret', 'it is !env OWNER'],
  ])('has no value for %s', async (name, code, hint) => {
    const found = await program.run('output', name);
    expect(found).toMatchObject({ code: 1, out: '' });
    expect(found.err).toContain(code);
    expect(found.err).toContain(hint);
    expect(found.err + found.out).not.toContain('canary');
  });
});

describe('a pattern as a target', () => {
  it('stands for the addresses that match it, and must match one', async () => {
    const { out } = await program.run('plan', '--target', '**/guide', '--format', 'json');
    expect(JSON.parse(out)).toMatchObject({ partial: { targets: ['pets/guide'] } });
    const { code, err } = await program.run('plan', '--exclude', 'dogs/**');
    expect(code).toBe(1);
    expect(err).toContain('No resource matches dogs/**');
  });
});
