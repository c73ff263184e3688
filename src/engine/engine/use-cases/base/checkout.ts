import { copyFile, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { devNull, tmpdir } from 'node:os';
import { join, resolve, sep } from 'node:path';
import { type Diagnostic, DiagnosticError, errorCode } from '@platform-sync/core/model/diagnostic';
import type { SpawnOptions } from '@platform-sync/core/model/spawn';
import { defined } from '@platform-sync/core/model/value';
import type { World } from '@platform-sync/core/model/world';

interface CheckedOut {
  /** The project as of the commit; absent when the commit does not have it. */
  readonly folder?: string;
  /** `origin/main at 1a2b3c4d5e6f` */
  readonly name: string;
  /** Removes what was checked out. */
  close(): Promise<void>;
}

/**
 * The project folder as of the commit where this branch left `ref` (or of `ref` itself), in a temporary folder. The repository, its index
 * and its working tree stay as they are: files are written through an index of their own, and no hook runs.
 */
export async function checkOut(
  { spawn }: Pick<World, 'spawn'>,
  root: string,
  ref: string,
  at: 'fork' | 'tip' = 'fork',
): Promise<CheckedOut> {
  const git = gitBy(spawn);
  const repository = await findRepository(git, root);
  const commit = await findCommit(git, root, ref, at);
  const name = `${ref} at ${commit.slice(0, 12)}`;
  const tree = await git(root, ['rev-parse', '--verify', '--quiet', `${commit}:${repository.prefix}`]).catch(ifAbsent);
  if (tree === undefined) return { name, close: async () => undefined };
  const temporary = await mkdtemp(join(tmpdir(), 'sync-base-'));
  const close = (): Promise<void> => rm(temporary, { recursive: true, force: true });
  try {
    const folder = join(temporary, 'tree');
    await mkdir(folder);
    const own = { GIT_INDEX_FILE: join(temporary, 'index') };
    const where = [`--git-dir=${repository.gitDir}`, `--work-tree=${folder}`];
    await git(folder, [...where, 'read-tree', tree], own);
    await git(folder, [...where, 'checkout-index', '--all', '--force', '--quiet'], own);
    return { folder, name, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** What a commit of somebody else may take. */
const most = { files: 50_000, bytes: 500_000_000, fetchMs: 120_000, characters: 20_000_000 } as const;

/** A commit in a folder of its own. */
interface CommitTree {
  /** Root of a repository whose HEAD is the commit. */
  readonly root: string;
  /** The folder that was asked from, in it. */
  readonly folder: string;
  /** The commit of the repository that was asked from. */
  readonly head: string;
}

/**
 * Exactly one commit (left out: HEAD), in `into`, as a repository of its own that borrows the objects of the one around `folder`; what
 * that lacks is fetched from its remote. That repository gets no object, ref or file by it, and nothing that the commit says about filters is run.
 */
export async function checkOutCommit(
  { spawn }: Pick<World, 'spawn'>,
  {
    folder,
    commit: wanted,
    remote,
    into,
  }: Readonly<Record<'folder' | 'remote' | 'into', string>> & { readonly commit?: string },
): Promise<CommitTree> {
  const git = gitBy(spawn);
  const { prefix } = await findRepository(git, folder);
  const head = await git(folder, ['rev-parse', '--verify', 'HEAD^{commit}']);
  const commit = wanted ?? head;
  const place = async (name: string): Promise<string> =>
    resolve(folder, await git(folder, ['rev-parse', '--git-path', name]));
  const format = await git(folder, ['rev-parse', '--show-object-format']);
  const alone = { GIT_CONFIG_GLOBAL: devNull, GIT_CONFIG_NOSYSTEM: '1', GIT_ATTR_NOSYSTEM: '1' };
  await git(into, ['init', '--quiet', '--template=', `--object-format=${format}`, '.'], alone);
  const objects = join(into, '.git', 'objects');
  const known = await place('objects');
  await mkdir(join(objects, 'info'), { recursive: true });
  await writeFile(join(objects, 'info', 'alternates'), `${known}\n`);
  await copyFile(await place('shallow'), join(into, '.git', 'shallow')).catch(ifMissing);
  const isHere = (): Promise<boolean> =>
    git(into, ['cat-file', '-e', `${commit}^{commit}`], alone).then(
      () => true,
      () => false,
    );
  if (!(await isHere())) {
    const own = { GIT_OBJECT_DIRECTORY: objects, GIT_ALTERNATE_OBJECT_DIRECTORIES: known };
    const bare = ['--quiet', '--no-tags', '--no-prune', '--no-write-fetch-head', '--no-recurse-submodules'];
    const checked = ['-c', 'fetch.fsckObjects=true', '-c', 'gc.auto=0', '-c', 'maintenance.auto=false'];
    const asked = [...checked, 'fetch', ...bare, '--end-of-options', remote, commit];
    await gitBy(spawn, { ms: most.fetchMs, characters: most.characters })(folder, asked, own).catch(
      (error: unknown) => {
        throw new DiagnosticError([notFetched(commit, remote, error)]);
      },
    );
    if (!(await isHere())) throw new DiagnosticError([notFetched(commit, remote)]);
  }
  await mustBeSmall(gitBy(spawn, { ms: most.fetchMs, characters: most.characters }), into, commit, alone);
  await git(into, ['update-ref', '--no-deref', 'HEAD', commit], alone);
  await git(into, ['read-tree', commit], alone);
  await git(into, ['checkout-index', '--all', '--force', '--quiet'], alone);
  return { root: into, folder: join(into, prefix), head };
}

/** What files of a tree say now. */
interface TreeEdit {
  /** As git shows it. */
  readonly diff: string;
  readonly files: readonly FileEdit[];
}

interface FileEdit {
  /** From the root of the repository, forward slashes. */
  readonly path: string;
  readonly text: string;
}

/** Where a tree is no longer what its commit says. */
export async function editOf({ spawn }: Pick<World, 'spawn'>, { root }: CommitTree): Promise<TreeEdit> {
  const git = gitBy(spawn, { ms: most.fetchMs, characters: most.characters });
  const plain = ['--no-ext-diff', '--no-textconv', '--no-color', '--no-renames', 'HEAD', '--'];
  const diff = await git(root, ['diff', ...plain]);
  const names = await git(root, ['diff', '--name-only', '-z', ...plain]);
  const paths = names.split('\0').filter((name) => name !== '');
  const files = paths.map(async (path) => ({ path, text: await readFile(join(root, path), 'utf8') }));
  return { diff: diff === '' ? '' : `${diff}\n`, files: await Promise.all(files) };
}

async function mustBeSmall(
  git: Git,
  root: string,
  commit: string,
  env: Readonly<Record<string, string>>,
): Promise<void> {
  const listed = await git(root, ['ls-tree', '-r', '-l', '--full-tree', commit], env);
  const sizes = listed.split('\n').map((line) => Number(/^\S+ \S+ \S+ +(\d+)/.exec(line)?.[1] ?? 0));
  const bytes = sizes.reduce((sum, size) => sum + size, 0);
  if (sizes.length <= most.files && bytes <= most.bytes) return;
  throw new DiagnosticError([
    {
      severity: 'error',
      code: 'commit-too-large',
      summary: `Commit ${commit.slice(0, 12)} has more than ${String(most.files)} files or ${String(most.bytes / 1e6)} MB: it is not checked out.`,
      hint: 'Plan it where it is: sync plan --untrusted --base REF in its pipeline.',
    },
  ]);
}

/**
 * That a proposed commit changes a file that a project could be made of: any but those in the folders of others. Where git can't say what
 * it changes, it touches.
 */
export async function isTouched(
  { spawn }: Pick<World, 'spawn'>,
  { tree, own, others }: { readonly tree: CommitTree; readonly own: string; readonly others: readonly string[] },
): Promise<boolean> {
  const git = gitBy(spawn, { ms: most.fetchMs, characters: most.characters });
  const asked = ['diff', '--name-only', '--no-renames', '--no-ext-diff', '-z', `${tree.head}...HEAD`];
  const names = await git(tree.root, asked).catch(() => undefined);
  if (names === undefined) return true;
  const { prefix } = await findRepository(git, own);
  const root = resolve(
    own,
    ...prefix
      .split('/')
      .filter((part) => part !== '')
      .map(() => '..'),
  );
  const isIn = (file: string, folder: string): boolean => file.startsWith(`${folder}${sep}`);
  // What lies around this one is not another's alone.
  const elsewhere = others.filter((folder) => !isIn(own, folder));
  return names
    .split('\0')
    .filter((name) => name !== '')
    .map((name) => join(root, name))
    .some((file) => isIn(file, own) || !elsewhere.some((folder) => isIn(file, folder)));
}

/** How a folder differs from what a commit has there: its checkout is at another one, or holds files of its own. */
export async function differenceFrom(
  { spawn }: Pick<World, 'spawn'>,
  folder: string,
  commit: string,
): Promise<string | undefined> {
  const git = gitBy(spawn);
  const head = await git(folder, ['rev-parse', '--verify', 'HEAD^{commit}']);
  if (head !== commit) return `is at commit ${head.slice(0, 12)}`;
  const [first = ''] = (await git(folder, ['status', '--porcelain', '--untracked-files=all', '--', '.'])).split('\n');
  return first === '' ? undefined : `has changes of its own: ${first.replace(/^..? /, '')}`;
}

/** Who wrote the commits that git lists for a folder, by addresses and names; none where it can't say. */
export async function authorsOf(
  { spawn }: Pick<World, 'spawn'>,
  folder: string,
  which: readonly string[],
): Promise<readonly string[]> {
  const form = '--format=%aE%n%aN%n%(trailers:key=Co-authored-by,valueonly)';
  const said = await gitBy(spawn)(folder, ['log', '-200', form, ...which, '--', '.']).catch(() => '');
  // `Ann <ann@acme.example>` names somebody twice.
  const names = said
    .split('\n')
    .flatMap((line) => line.split(/[<>]/))
    .map((name) => name.trim());
  return [...new Set(names)].filter((name) => name !== '');
}

function ifMissing(error: unknown): void {
  if (errorCode(error) !== 'ENOENT') throw error;
}

function notFetched(commit: string, remote: string, error?: unknown): Diagnostic {
  const said =
    error instanceof DiagnosticError ? (error.diagnostics[0]?.detail ?? error.diagnostics[0]?.summary) : undefined;
  return {
    severity: 'error',
    code: 'commit-not-fetched',
    summary: `Commit ${commit.slice(0, 12)} is not here, and can't be fetched from ${remote}.`,
    ...(said === undefined ? {} : { detail: said }),
    hint: 'The worker\'s own git must reach it: git fetch REMOTE COMMIT. "remote" in fleet.yaml says where from.',
  };
}

async function findRepository(git: Git, root: string): Promise<{ readonly gitDir: string; readonly prefix: string }> {
  const gitDir = await git(root, ['rev-parse', '--absolute-git-dir']);
  const prefix = await git(root, ['rev-parse', '--show-prefix']);
  return { gitDir, prefix: prefix.replace(/\/$/, '') };
}

/** The last commit that `ref` and this branch share; in a clone too shallow to know it, the commit of `ref`. */
async function findCommit(git: Git, root: string, ref: string, at: 'fork' | 'tip'): Promise<string> {
  const commit = await git(root, ['rev-parse', '--verify', '--quiet', '--end-of-options', `${ref}^{commit}`]).catch(
    ifAbsent,
  );
  if (commit === undefined) throw new DiagnosticError([unknownRef(ref)]);
  if (at === 'tip') return commit;
  return (await git(root, ['merge-base', commit, 'HEAD']).catch(ifAbsent)) ?? commit;
}

/** Git answers a question with exit code 1 and no word: there is none. */
function ifAbsent(error: unknown): undefined {
  if (error instanceof GitSilence) return undefined;
  throw error;
}

class GitSilence extends Error {}

/**
 * A project folder may hold what looks like a repository without a working tree, with settings that run commands and
 * refs of its own: only the repository around it counts. Nothing here needs hooks or a watcher of files.
 */
const ownSettings = ['safe.bareRepository=explicit', 'core.fsmonitor=false', 'core.hooksPath=/dev/null'].flatMap(
  (setting) => ['-c', setting],
);

type Git = (cwd: string, args: readonly string[], env?: Readonly<Record<string, string>>) => Promise<string>;

function gitBy(spawn: World['spawn'], limits?: SpawnOptions['limits']): Git {
  return async (cwd, args, env = {}) => {
    const { code, failure, stdout, stderr, limit } = await spawn('git', [...ownSettings, ...args], {
      ...{ cwd, ...defined({ limits }) },
      // Messages are read below, so they must be the untranslated ones; nobody is there to type a password.
      env: { LC_ALL: 'C', GIT_TERMINAL_PROMPT: '0', GIT_OPTIONAL_LOCKS: '0', ...env },
    });
    if (code === 0) return stdout.trim();
    if ((code === 1 || code === 128) && stderr.trim() === '') throw new GitSilence();
    throw new DiagnosticError([
      explainGit(failure, limit === undefined ? stderr : 'it took too long, or said too much'),
    ]);
  };
}

/** The ref after `--base` names no commit here. */
function unknownRef(ref: string): Diagnostic {
  return {
    severity: 'error',
    code: 'base-ref-unknown',
    summary: `Git knows no commit named "${ref}" here, so there is nothing to compare this branch with.`,
    detail: 'A pipeline often fetches one commit only.',
    hint: `Fetch it first: git fetch origin ${plainRef(ref)}`,
  };
}

/** A branch's name as `git fetch` takes it; what is no plain name is not repeated as a command. */
function plainRef(ref: string): string {
  const name = ref.replace(/^(refs\/(heads|remotes)\/)?(origin\/)?/, '');
  return /^[A-Za-z0-9][\w./-]*$/.test(name) ? name : 'BRANCH';
}

const known: readonly (readonly [RegExp, string, string])[] = [
  [
    /not a git repository/i,
    'The project does not lie in a git repository, so there is no other commit to compare with.',
    'Compare with a folder instead: --base-dir DIR',
  ],
  [
    /dubious ownership/i,
    'Git does not trust this repository, because its folder belongs to another user.',
    'In a container: git config --global --add safe.directory "$PWD"',
  ],
];

/** What git said, in a form that helps. */
function explainGit(failure: string | undefined, stderr: string): Diagnostic {
  const problem = { severity: 'error', code: 'base-git-failed' } as const;
  if (failure === 'ENOENT') {
    const hint = 'Install git, or compare with a folder instead: --base-dir DIR';
    return { ...problem, summary: 'The program git was not found; --base needs it.', hint };
  }
  const found = known.find(([pattern]) => pattern.test(stderr));
  if (found !== undefined) return { ...problem, summary: found[1], hint: found[2] };
  const first = stderr.trim().split('\n')[0] ?? '';
  return {
    ...problem,
    summary: 'Git could not give the files of the base.',
    ...(first === '' ? {} : { detail: first }),
  };
}
