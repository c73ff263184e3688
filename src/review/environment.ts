import { readFileSync } from 'node:fs';
import { githubEnvironment } from './github/environment.js';
import { gitlabEnvironment } from './gitlab/environment.js';
import type { Environment, EnvironmentReader, ReviewEnvironment } from './review-environment.js';
import type { ReviewPlatform } from './review-request.js';

const readers: Readonly<Record<ReviewPlatform, EnvironmentReader>> = {
  github: githubEnvironment,
  gitlab: gitlabEnvironment,
};

/** The platform is the one whose pipeline this is, unless said. Undefined outside of both. */
export function reviewEnvironment(
  env: Environment,
  said: { readonly platform: ReviewPlatform | undefined; readonly number: number | undefined },
): ReviewEnvironment | undefined {
  const platform =
    said.platform ?? (env['GITLAB_CI'] === 'true' ? 'gitlab' : env['GITHUB_ACTIONS'] === 'true' ? 'github' : undefined);
  return platform === undefined ? undefined : readers[platform](env, said.number, eventOf(env['GITHUB_EVENT_PATH']));
}

/** What started the pipeline; anything that can't be read counts as nothing. */
function eventOf(path: string | undefined): unknown {
  if (path === undefined || path === '') return undefined;
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as unknown;
  } catch {
    return undefined;
  }
}
