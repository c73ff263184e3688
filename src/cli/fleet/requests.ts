import type { Diagnostic } from '@platform-sync/core/model/diagnostic';
import type { Job, RequestAnswer, RequestNews } from '@platform-sync/core/model/fleet';
import type { Plan } from '@platform-sync/core/model/plan';
import { parsedJson } from '@platform-sync/core/model/read-json';
import { defined, type Json } from '@platform-sync/core/model/value';
import { momentIn } from '@platform-sync/core/model/world';
import type { Fleet } from '@platform-sync/engine/use-cases/fleet';
import type { ReviewPlace } from '@platform-sync/report/view/review-place';
import { count } from '@platform-sync/report/words/value';
import { reviewEnvironment } from '@platform-sync/review/environment';
import { type OutcomeComment, publishOutcomes, publishStatus } from '@platform-sync/review/publish';
import type { ReviewEnvironment } from '@platform-sync/review/review-environment';
import type { CommitStatus } from '@platform-sync/review/review-host';
import { subjectOf } from '@platform-sync/review/subject';
import { issuePatience } from '../drift/issue.js';
import { outcomeText, supersededText } from '../review/outcome-text.js';
import { repositoryFolder } from '../run/repository.js';
import type { RunContext } from '../run/run-context.js';

type Request = Pick<RequestNews, 'platform' | 'project' | 'number' | 'commit'>;

/** What a request is told of one stack; JSON, for whichever worker tells it. */
interface StackComment extends Pick<OutcomeComment, 'subject' | 'at' | 'digest' | 'row' | 'markdown'> {
  readonly stack: string;
  readonly place: ReviewPlace;
  readonly effect?: string;
}

/** What a worker needs of a request to write to it: its forge's address and token, and nothing that a pipeline would say. */
const given = [
  'GITHUB_TOKEN',
  'GH_TOKEN',
  'GITHUB_API_URL',
  'GITHUB_SERVER_URL',
  'GITLAB_TOKEN',
  'CI_API_V4_URL',
  'CI_SERVER_URL',
];

function environmentOf(
  { host: { env } }: RunContext,
  { platform, project, number, commit }: Request,
): ReviewEnvironment | undefined {
  const own = {
    ...{ GITHUB_SERVER_URL: 'https://github.com', ...Object.fromEntries(given.map((name) => [name, env[name]])) },
    ...{ GITHUB_REPOSITORY: project, GITHUB_SHA: commit, CI_PROJECT_ID: project, CI_COMMIT_SHA: commit },
  };
  return reviewEnvironment(own, { platform, number });
}

/** The comment on the plan of a proposal, as `sync comment` writes it in its pipeline; `context`: of the stack. */
export async function proposalComment(
  context: RunContext,
  { project, stack, from, request, commit = '' }: Job,
  { plan, diagnostics }: { readonly plan?: Plan; readonly diagnostics: readonly Diagnostic[] },
): Promise<Json | undefined> {
  if (from === undefined) return undefined;
  const links = environmentOf(context, { ...from, number: Number(request), commit })?.links ?? {};
  const place: ReviewPlace = { folder: repositoryFolder(context), links, commit };
  const endedAt = momentIn(context.host.world);
  const found =
    plan === undefined
      ? ({ kind: 'no-plan', document: { diagnostics, project, stack, endedAt } } as const)
      : ({ kind: 'plan', document: plan } as const);
  const { row, markdown, at = endedAt, digest = commit } = await outcomeText({ found, path: 'plan.json' }, place);
  const comment: StackComment = {
    ...{ subject: subjectOf({ project, stack }, place.folder ?? ''), at, digest, row, markdown, stack, place },
    ...defined({ effect: plan?.effectDigest }),
  };
  return parsedJson(JSON.stringify(comment));
}

/** Tells a request by its one status and its one comment; true: it was told, or nobody ever could. */
export function requestTeller(
  context: RunContext,
  fleetNow: () => Promise<Pick<Fleet, 'name' | 'console'>>,
  onProblem: (problem: Diagnostic) => void,
): (news: RequestNews) => Promise<boolean> {
  return async (news) => {
    const fleet = await fleetNow();
    const environment = environmentOf(context, news);
    const request = environment?.request;
    if (environment === undefined || request === undefined) return true;
    const { run: _run, ...links } = environment.links;
    const patience = issuePatience(context);
    const comments = news.state === 'done' ? commentsOf(news, fleet.console?.url) : [];
    const diagnostics = [
      comments.length === 0
        ? undefined
        : (await publishOutcomes(comments, { ...environment, links, request }, patience)).diagnostic,
      await publishStatus(requestStatus(news, fleet), { request, commit: news.commit }, patience),
    ].filter((one) => one !== undefined);
    diagnostics.forEach(onProblem);
    return diagnostics.every(({ code }) => isFinal.has(code));
  };
}

/** What trying again changes nothing about. */
const isFinal = new Set(['review-no-token', 'review-insecure-server', 'review-locked', 'review-not-found']);

function commentsOf({ answers }: RequestNews, url: string | undefined): readonly OutcomeComment[] {
  return answers.flatMap(({ project, comment }) => {
    if (!isComment(comment)) return [];
    const { subject, at, digest, row, markdown, stack, place } = comment;
    const link = url === undefined ? undefined : planPage(url, project, comment);
    const superseded = supersededText({ row, stack }, place);
    return [{ kind: 'plan', subject, at, digest, markdown, superseded, row: { ...row, ...defined({ link }) } }];
  });
}

/** One for all stacks of the fleet: those that are not touched are silent. */
function requestStatus(
  { state, newest, answers }: Pick<RequestNews, 'state' | 'newest' | 'answers'>,
  { name, console: served }: Pick<Fleet, 'name' | 'console'>,
): CommitStatus {
  const touched = answers.filter(({ comment, found }) => comment !== undefined || found === undefined);
  const [only] = touched;
  const link =
    served === undefined
      ? undefined
      : touched.length === 1 && only !== undefined && isComment(only.comment)
        ? planPage(served.url, only.project, only.comment)
        : `${served.url}/`;
  return { name: `platform-sync/${name}`, ...defined({ link }), ...said(state, newest, touched) };
}

function said(
  state: RequestNews['state'],
  newest: string,
  touched: readonly RequestAnswer[],
): Pick<CommitStatus, 'state' | 'words'> {
  if (state === 'superseded') return { state, words: `Superseded by ${newest.slice(0, 12)}` };
  if (state === 'waiting') return { state: 'pending', words: 'Its plans are made soon' };
  if (touched.length === 0) return { state: 'neutral', words: 'It touches no stack' };
  const bad = touched.filter(({ found }) => found === undefined || needing.has(found.state));
  const words = (of: readonly RequestAnswer[]): string =>
    of.map(({ project, stack, found }) => `${project}/${stack} ${found?.state ?? 'came to no end'}`).join(', ');
  if (bad.length > 0) return { state: 'failure', words: `${count(bad.length, 'stack')}: ${words(bad)}` };
  return { state: 'success', words: `${count(touched.length, 'stack')}: ${words(touched)}` };
}

const needing: ReadonlySet<string> = new Set(['failed', 'unknown', 'blocked']);

function planPage(url: string, project: string, { stack, effect }: StackComment): string {
  const page = `${url}/stacks/${encodeURIComponent(project)}/${encodeURIComponent(stack)}`;
  return effect === undefined ? page : `${page}/plans/${effect}`;
}

/** As it was written above. */
function isComment(given: unknown): given is StackComment {
  return typeof given === 'object' && given !== null && 'subject' in given && 'markdown' in given;
}
