import { readFileSync } from 'node:fs';
import { githubEnvironment, githubProject } from './github/environment.js';
import { gitlabEnvironment, gitlabProject } from './gitlab/environment.js';
import {
  reviewPlatformOf,
  type Environment,
  type EnvironmentReader,
  type ProjectEnvironment,
  type ProjectReader,
  type ReviewEnvironment,
} from './review-environment.js';
import type { ReviewPlatform } from './review-request.js';

const readers: Readonly<Record<ReviewPlatform, EnvironmentReader>> = {
  github: githubEnvironment,
  gitlab: gitlabEnvironment,
};

const projectReaders: Readonly<Record<ReviewPlatform, ProjectReader>> = {
  github: githubProject,
  gitlab: gitlabProject,
};

/** The platform is the one whose pipeline this is, unless said. Undefined outside of both. */
export function reviewEnvironment(
  env: Environment,
  said: { readonly platform: ReviewPlatform | undefined; readonly number: number | undefined },
): ReviewEnvironment | undefined {
  const platform = said.platform ?? reviewPlatformOf(env);
  return platform === undefined ? undefined : readers[platform](env, said.number, eventOf(env['GITHUB_EVENT_PATH']));
}

/** The same for what belongs to a project rather than to one of its requests. */
export function projectEnvironment(env: Environment, said: ReviewPlatform | undefined): ProjectEnvironment | undefined {
  const platform = said ?? reviewPlatformOf(env);
  return platform === undefined ? undefined : projectReaders[platform](env, eventOf(env['GITHUB_EVENT_PATH']));
}

/** What started the pipeline; anything that can't be read counts as nothing. */
export function eventOf(path: string | undefined): unknown {
  if (path === undefined || path === '') return undefined;
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    return undefined;
  }
}
