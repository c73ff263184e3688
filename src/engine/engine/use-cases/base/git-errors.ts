import type { Diagnostic } from '@platform-sync/core/model/diagnostic';

/** The ref after `--base` names no commit here. */
export function unknownRef(ref: string): Diagnostic {
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
export function explainGit(code: number | string | undefined, stderr: string): Diagnostic {
  const problem = { severity: 'error', code: 'base-git-failed' } as const;
  if (code === 'ENOENT') {
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
