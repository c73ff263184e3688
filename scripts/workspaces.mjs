// The packages of this repository, which are npm workspaces: where each lies, and whom its package.json lets it use.
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const read = (folder) => JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'));

const folders = read('.').workspaces.flatMap((pattern) =>
  pattern.endsWith('/*')
    ? readdirSync(join(root, pattern.slice(0, -2)), { withFileTypes: true })
        .filter((entry) => entry.isDirectory())
        .map(({ name }) => `${pattern.slice(0, -1)}${name}`)
    : [pattern],
);

/** Name → folder, and the names that its package.json depends on, neighbours and others, sorted. */
export const workspaces = new Map(
  folders
    .filter((folder) => existsSync(join(root, folder, 'package.json')))
    .map((folder) => {
      const { name, dependencies, devDependencies } = read(folder);
      return [name, { folder, uses: Object.keys({ ...dependencies, ...devDependencies }).sort() }];
    }),
);

/** What `exports` of every package says: `src/engine/core/model/json.ts` of `@platform-sync/core/model/json`. */
export function sourceOf(specifier) {
  const [name, folder] = /^(@platform-sync\/[^/]+)\/(.+)$/.exec(specifier)?.slice(1) ?? [];
  const workspace = workspaces.get(name);
  return workspace && `${workspace.folder}/${folder}.ts`;
}

/** For bundlers that leave packages outside, and for copies of the sources: the neighbours below the folder they work in. */
export const sourceAliases = Object.fromEntries([...workspaces].map(([name, { folder }]) => [name, `./${folder}`]));
