import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

// Building it takes a container engine: continuous integration does, where there is one. This holds what can be read; that the
// packed program runs for such a user is in test/sdk/packed.test.ts.
const root = fileURLToPath(new URL('../../', import.meta.url));
const lines = readFileSync(`${root}Dockerfile`, 'utf8')
  .split('\n')
  .filter((line) => /^[A-Z]+ /.test(line));
const rest = (word: string): readonly string[] =>
  lines.filter((line) => line.startsWith(`${word} `)).map((line) => line.slice(word.length + 1));
const { name, version, bin, engines } = JSON.parse(readFileSync(`${root}package.json`, 'utf8')) as {
  readonly name: string;
  readonly version: string;
  readonly bin: Readonly<Record<string, string>>;
  readonly engines: { readonly node: string };
};

describe('the Dockerfile', () => {
  it('takes in the packed file alone, and that file is let through', () => {
    const copied = rest('COPY').filter((line) => !line.startsWith('--from='));
    expect(copied).toEqual(['platform-sync-*.tgz /tmp/']);
    expect(`${name}-${version}.tgz`).toMatch(/^platform-sync-.*\.tgz$/);
    const ignored = readFileSync(`${root}.dockerignore`, 'utf8').trim().split('\n');
    expect([ignored.includes('*'), ignored.at(-1)]).toEqual([true, '!platform-sync-*.tgz']);
  });

  it('starts a program that the package has', () => {
    const [entry = '[]'] = rest('ENTRYPOINT');
    const [program = ''] = JSON.parse(entry) as readonly string[];
    expect(Object.keys(bin)).toContain(program);
    expect(rest('RUN').join('\n')).toContain(`node_modules/.bin/${program} /usr/local/bin/${program}`);
  });

  it('installs without running a script of any package', () => {
    const installs = rest('RUN').filter((line) => /\bnpm (install|i|ci|add)\b/.test(line));
    expect(installs).not.toEqual([]);
    for (const install of installs) expect(install).toContain(' --ignore-scripts ');
  });

  it('runs as nobody special, on a Node that is supported, in both stages the same', () => {
    expect(rest('USER')).toEqual(['node']);
    expect(lines.indexOf('USER node')).toBeGreaterThan(lines.findLastIndex((line) => line.startsWith('RUN ')));
    const images = new Set(rest('FROM').map((line) => line.split(' ')[0]));
    expect([...images]).toEqual(['${NODE_IMAGE}']);
    // A digest takes its place; an argument of both stages stands before the first.
    expect(lines[0]).toBe('ARG NODE_IMAGE=node:22-slim');
    expect(engines.node).toContain('>=22');
  });
});
