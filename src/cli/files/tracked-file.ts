import { existsSync } from 'node:fs';
import { lstat, realpath } from 'node:fs/promises';
import { dirname, join, parse, relative } from 'node:path';
import type { World } from '@platform-sync/core/model/world';

const ownSettings = [
  '-c',
  'safe.bareRepository=explicit',
  '-c',
  'core.fsmonitor=false',
  '-c',
  'core.hooksPath=/dev/null',
];

/** Why a file may not be what a run left, as the end of a sentence: whoever proposed the change may have brought it along. */
export async function broughtAlong(file: string, world: Pick<World, 'spawn'>): Promise<string | undefined> {
  if (await isTracked(file, world))
    return 'is part of the repository, or git cannot tell: a proposed change may have added it';
  return (await isLinked(file)) ? 'is behind a link, and a result never is' : undefined;
}

/** Whether a file, its folder or, inside a checkout, a folder above is a link. Above all checkouts links are the machine's own. */
async function isLinked(file: string): Promise<boolean> {
  const folders = [...foldersAbove(dirname(file))];
  const top = folders.findLastIndex((folder) => existsSync(join(folder, '.git')));
  const places = [file, ...folders.slice(0, top === -1 ? 1 : top)];
  // The folder of reports may be one of the machine's own: `/tmp` is a link on some.
  const asked = dirname(dirname(file)) === parse(file).root ? places.slice(0, 1) : places;
  return (await Promise.all(asked.map(isLink))).includes(true);
}

/**
 * Whether a file came with a checkout: git tracks it, or a link on the way to it, so that whoever proposed the change may have
 * written it. Where git is there and can't tell, it may have.
 */
async function isTracked(file: string, world: Pick<World, 'spawn'>): Promise<boolean> {
  const folders = [...foldersAbove(dirname(file))];
  const links = await Promise.all(folders.map(isLink));
  const real = await realpath(file).catch(() => file);
  // Git says nothing of what lies behind a link, so each link on the way is asked for by itself.
  for (const place of new Set([file, real, ...folders.filter((_, at) => links[at])]))
    for (const root of foldersAbove(dirname(place)))
      if (existsSync(join(root, '.git')) && (await holds(world, root, relative(root, place)))) return true;
  return false;
}

function isLink(place: string): Promise<boolean> {
  return lstat(place).then(
    (entry) => entry.isSymbolicLink(),
    () => false,
  );
}

async function holds({ spawn }: Pick<World, 'spawn'>, root: string, path: string): Promise<boolean> {
  const { code, failure, stdout, stderr } = await spawn(
    'git',
    [...ownSettings, '--literal-pathspecs', 'ls-files', '-z', '--', path],
    { cwd: root, env: { LC_ALL: 'C', GIT_OPTIONAL_LOCKS: '0' } },
  );
  if (code === 0) return stdout !== '';
  // Without git nothing was checked out by it, nor where its folder holds no repository.
  return failure !== 'ENOENT' && !/^fatal: not a git repository \(/m.test(stderr);
}

/** This folder and all above it, the nearest first. */
export function* foldersAbove(folder: string): Iterable<string> {
  yield folder;
  const above = dirname(folder);
  if (above !== folder) yield* foldersAbove(above);
}
