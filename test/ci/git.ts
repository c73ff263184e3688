import { execFileSync } from 'node:child_process';
import type { Machine } from './recipe.js';

const settings = ['user.name=t', 'user.email=t@example.com', 'commit.gpgsign=false', 'init.defaultBranch=main'];

function gitIn(cwd: string, ...args: readonly string[]): string {
  return execFileSync('git', [...settings.flatMap((setting) => ['-c', setting]), ...args], {
    cwd,
    encoding: 'utf8',
    env: { ...process.env, GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1' },
  });
}

/** Makes the machine's project a repository, commits it and what is named, and gives the commit. Nobody's own git settings count. */
export function commitProject({ folder }: Machine, ...more: readonly string[]): string {
  gitIn(folder, 'init', '--quiet');
  gitIn(folder, 'add', '--force', 'project', ...more);
  gitIn(folder, 'commit', '--quiet', '--message=base');
  return gitIn(folder, 'rev-parse', 'HEAD').trim();
}

/** The machine's program as a repository; gives its commit. */
export function commitHome({ home }: Machine): string {
  gitIn(home, 'init', '--quiet');
  gitIn(home, 'add', '--all', '--force');
  gitIn(home, 'commit', '--quiet', '--message=program');
  return gitIn(home, 'rev-parse', 'HEAD').trim();
}
