import type { ConsoleSettings } from '@platform-sync/core/model/console';
import type { RunBy } from '@platform-sync/core/model/run';
import { markup, type Part } from '@platform-sync/report/html/html';

/** Pages of the forge about a commit, a request, or the run of a pipeline. */
interface ForgePages {
  readonly commit: (id: string) => string;
  readonly request: (number: number) => string;
  readonly run: (id: number) => string;
}

function pagesOf({ repository }: Pick<ConsoleSettings, 'repository'>): ForgePages | undefined {
  if (repository?.github !== undefined) {
    const { github } = repository;
    return {
      commit: (id) => `${github}/commit/${id}`,
      request: (number) => `${github}/pull/${String(number)}`,
      run: (id) => `${github}/actions/runs/${String(id)}`,
    };
  }
  if (repository?.gitlab === undefined) return undefined;
  const { gitlab } = repository;
  return {
    commit: (id) => `${gitlab}/-/commit/${id}`,
    request: (number) => `${gitlab}/-/merge_requests/${String(number)}`,
    run: (id) => `${gitlab}/-/pipelines/${String(id)}`,
  };
}

/** Where a run came from: the commit, the request and the log of its pipeline, each a link where fleet.yaml names the repository. */
export function cameFrom({ request, pipeline }: RunBy, settings: Pick<ConsoleSettings, 'repository'>): readonly Part[] {
  // Of another repository these would lead astray.
  const { repository } = pipeline ?? {};
  const pages = pagesOf(settings);
  const own = repository === undefined || isOf(settings, repository) ? pages : undefined;
  const link = (address: string | undefined, inner: Part): Part =>
    address === undefined ? inner : markup`<a href="${address}">${inner}</a>`;
  const { commit, run } = pipeline ?? {};
  return [
    request === undefined ? '' : link(own?.request(request), `request ${String(request)}`),
    commit === undefined ? '' : [`commit `, link(own?.commit(commit), markup`<code>${commit.slice(0, 12)}</code>`)],
    run === undefined || own === undefined ? '' : link(own.run(run), 'log of its pipeline'),
  ].filter((one) => one !== '');
}

/** The page of a request; undefined: of another repository than fleet.yaml names. */
export function requestPage(
  settings: Pick<ConsoleSettings, 'repository'>,
  repository: string,
  number: number,
): string | undefined {
  return isOf(settings, repository) ? pagesOf(settings)?.request(number) : undefined;
}

/** GitLab numbers its projects: such a name says nothing. */
function isOf({ repository }: Pick<ConsoleSettings, 'repository'>, name: string): boolean {
  const page = repository?.github ?? repository?.gitlab ?? '';
  return /^\d+$/.test(name) || page.toLowerCase().endsWith(`/${name.toLowerCase()}`);
}
