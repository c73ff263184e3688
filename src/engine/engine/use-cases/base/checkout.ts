import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Diagnostic, DiagnosticError } from '@platform-sync/core/model/diagnostic';
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

function gitBy(spawn: World['spawn']): Git {
  return async (cwd, args, env = {}) => {
    const { code, failure, stdout, stderr } = await spawn('git', [...ownSettings, ...args], {
      cwd,
      // Messages are read below, so they must be the untranslated ones; nobody is there to type a password.
      env: { LC_ALL: 'C', GIT_TERMINAL_PROMPT: '0', GIT_OPTIONAL_LOCKS: '0', ...env },
    });
    if (code === 0) return stdout.trim();
    if ((code === 1 || code === 128) && stderr.trim() === '') throw new GitSilence();
    throw new DiagnosticError([explainGit(failure, stderr)]);
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
