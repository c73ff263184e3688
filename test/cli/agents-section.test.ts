import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { commandLoaders } from '@platform-sync/cli/command-list';
import { fakeProgram } from './fake-host.js';

const begin = '<!-- platform-sync -->';

const skills = ['start', 'every-day', 'mend', 'inspect'].map((name) => `.agents/skills/sync-${name}/SKILL.md`);

describe('sync init --agents', () => {
  it('writes a section of AGENTS.md beside a new project, and only that in one that is there', async () => {
    const { run, folder } = fakeProgram();
    expect((await run('init', '--agents')).out).toContain('wrote AGENTS.md');
    const section = readFileSync(join(folder, 'AGENTS.md'), 'utf8');
    expect(section.startsWith(begin)).toBe(true);
    expect(await run('init', '--agents')).toMatchObject({
      code: 0,
      out: `wrote AGENTS.md\n${skills.map((path) => `wrote ${path}\n`).join('')}`,
    });
    expect(readFileSync(join(folder, 'AGENTS.md'), 'utf8')).toBe(section);
  });

  it.each([
    ['nothing but words', '# Rules\n\nBe kind.\n', '# Rules\n\nBe kind.\n\n', ''],
    [
      'the section of an older version',
      `# Rules\n\n${begin}\nstale words\n<!-- end of platform-sync -->\n\n# More\n`,
      '# Rules\n\n',
      '\n\n# More\n',
    ],
  ])('keeps what others wrote around it: %s', async (_name, text, before, after) => {
    const { run, folder } = fakeProgram();
    await run('init');
    writeFileSync(join(folder, 'AGENTS.md'), text);
    await run('init', '--agents');
    const written = readFileSync(join(folder, 'AGENTS.md'), 'utf8');
    expect([written.startsWith(before + begin), written.trimEnd().endsWith(after.trimEnd())]).toEqual([true, true]);
    expect([written.split(begin).length, written.includes('stale words')]).toEqual([2, false]);
  });

  it('writes skills that are made of help: every command stands in one, with examples', async () => {
    const { run, folder } = fakeProgram();
    await run('init', '--agents');
    const texts = skills.map((path) => readFileSync(join(folder, path), 'utf8'));
    const all = texts.join('');
    for (const [id, load] of Object.entries(commandLoaders)) {
      const { summary, examples } = await load();
      expect(all).toContain(`- \`sync ${id.replace(':', ' ')}\`: ${summary}\n`);
      expect(all).toContain(examples[0] ?? '');
    }
    for (const text of texts) {
      expect(text).toMatch(/^---\nname: sync-[a-z-]+\ndescription: ".+"\nmetadata: \{ version: "[\d.]+" \}\n---\n/);
      expect(text.length).toBeLessThan(6000);
    }
  });

  it('names only commands, flags and files that exist', async () => {
    const { run, folder } = fakeProgram();
    await run('init', '--agents');
    const section = readFileSync(join(folder, 'AGENTS.md'), 'utf8');
    const lines = [...section.matchAll(/`sync ([^`]+)`/g)].map(([, line = '']) => line.split(' '));
    expect(lines.length).toBeGreaterThan(4);
    for (const [first = '', second = '', ...rest] of lines) {
      const id = [`${first}:${second}`, first].find((each) => each in commandLoaders);
      if (second === '…') continue; // A topic as a whole.
      expect([first, second, id]).not.toContain(undefined);
      const known = (await run(...(id ?? '').split(':'), '--help')).out;
      for (const flag of [second, ...rest].filter((word) => word.startsWith('--'))) expect(known).toContain(flag);
    }
    for (const flag of ['--allow', '--detailed-exitcode']) expect((await run('plan', '--help')).out).toContain(flag);
  });
});

it('sync init --editor leaves settings that are there, and says what they lack', async () => {
  const { run, folder } = fakeProgram();
  expect((await run('init')).out).toContain('wrote .vscode/settings.json');
  writeFileSync(join(folder, '.vscode/settings.json'), '{}');
  const { code, out } = await run('init', '--editor');
  expect([code, out]).toEqual([
    0,
    expect.stringMatching(/wrote \.platform-sync.*left \.vscode.*"yaml\.customTags": \["!file/s),
  ]);
  expect(readFileSync(join(folder, '.vscode/settings.json'), 'utf8')).toBe('{}');
});
