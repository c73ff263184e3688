import { execFileSync } from 'node:child_process';
import type { Machine } from './recipe.js';

const settings = ['user.name=t', 'user.email=t@example.com', 'commit.gpgsign=false', 'init.defaultBranch=main'];

/** Makes the machine's project a repository, commits it, and gives the commit. Nobody's own git settings count. */
export function commitProject(machine: Machine): string {
  const git = (...args: readonly string[]): string =>
    execFileSync('git', [...settings.flatMap((setting) => ['-c', setting]), ...args], {
      cwd: machine.folder,
      encoding: 'utf8',
      env: { ...process.env, GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1' },
    });
  git('init', '--quiet');
  git('add', 'project');
  git('commit', '--quiet', '--message=base');
  return git('rev-parse', 'HEAD').trim();
}
