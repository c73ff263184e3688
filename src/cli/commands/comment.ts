import { appendFile } from 'node:fs/promises';
import { join, parse, resolve } from 'node:path';
import { argument, integer, option, string as text } from '../arguments/flag.js';
import { defined } from '@platform-sync/core/model/value';
import { hasErrors, type Diagnostic } from '@platform-sync/core/model/diagnostic';
import { namedStack } from '@platform-sync/core/model/project';
import { momentIn } from '@platform-sync/core/model/world';
import { endings } from '@platform-sync/report/document/ended';
import { visible } from '@platform-sync/report/words/escape';
import type { ReviewPlace } from '@platform-sync/report/view/review-place';
import type { OutcomeComment, Published } from '@platform-sync/review/publish';
import type { TellingOthers } from '@platform-sync/review/publish-others';
import type { ReviewEnvironment } from '@platform-sync/review/review-environment';
import type { Posted } from '@platform-sync/review/sticky-comment';
import type { Subject } from '@platform-sync/review/subject';
import { exitCode } from '../process/exit-code.js';
import { endedText, isToBeApplied, outcomeText, type OutcomeText, supersededText } from '../review/outcome-text.js';
import { writeReport } from '../files/report-file.js';
import { originOf, readResultFile, resultPaths, type ResultFile } from '../files/result-file.js';
import { reviewPlaceOf } from '../review/review-place.js';
import { printProblems, projectNameIn, type RunContext } from '../run/run-context.js';
import { repositoryRoot } from '../run/repository.js';
import { command } from '../run/command.js';
import { UsageError } from '../process/usage-error.js';

export const commentCommand = command({
  summary: 'Keep one comment on a pull or merge request about its plan and apply.',
  description:
    "Creates the one comment of the request, or edits the one it made before: a row for each project and stack, the gravest first. An older commit never overwrites a newer one, and a run never overwrites the reviewed plan. Request, commit and token come from the pipeline's variables (GITHUB_TOKEN or GITLAB_TOKEN); after the merge, the result goes to the request that the commit came from. Where the pipeline may only read, as for a fork, the Markdown goes to a file and to the job summary instead.",
  examples: [
    'sync comment plan.json',
    'sync comment out --ended cancelled',
    'sync comment out --after apply --ended failed',
    'sync comment out/result.json --file result.md',
    'sync comment plan.json --platform github --request 42',
  ],
  args: {
    result: argument({
      name: 'RESULT',
      required: true,
      description: 'plans, results of an apply or a drift check, or folders with them; of any projects and stacks',
    }),
  },
  anyWords: true,
  flags: {
    platform: option({
      options: ['github', 'gitlab'] as const,
      description: 'where the request is; default: the one whose pipeline this is',
    })(),
    request: integer({ description: 'number of the pull or merge request', helpValue: 'NUMBER', min: 1 }),
    file: text({ description: 'write the Markdown to this file, too', helpValue: 'FILE' }),
    after: option({
      options: ['plan', 'apply'] as const,
      description: 'the step that should leave the result; for apply, a plan alone does not count',
      default: 'plan' as const,
    })(),
    ended: option({ options: endings, description: 'how the job ended, for when it left no result' })(),
    run: integer({
      description: 'run that made the result (if it is another one)',
      helpValue: 'NUMBER',
      min: 1,
    }),
    job: text({
      description: 'on GitLab, the job to ask without a result; repeatable, in order',
      helpValue: 'NAME',
      multiple: true,
      exclusive: ['ended'],
    }),
  },
  needs: 'context',
  async run({ words, flags, host, context }) {
    const { reviewEnvironment } = await import('@platform-sync/review/environment');
    const environment = reviewEnvironment(host.env, { platform: flags.platform, number: flags.request });
    if (environment === undefined && flags.file === undefined)
      throw new UsageError(
        'no pipeline says which request to comment on',
        'Name it, or write the text to a file:\n--platform github --request 42\n--file plan.md',
      );
    const at = await reviewPlaceOf(context, environment);
    const paths = await resultPaths(words.map((word) => resolve(context.cwd, word)));
    const told: Told[] = [];
    const problems: Diagnostic[] = [];
    let isStale = false;
    for (const read of withoutCarriedOut(await Promise.all(paths.map((path) => readResultFile(path, host.world))))) {
      const foreign = await foreignResult(context, read, flags.run);
      if (foreign !== undefined) problems.push(foreign);
      else if (isTellable(read, flags)) told.push(await textOf(context, read, flags, at, environment));
      else if (read.found === undefined) {
        problems.push(read.diagnostic);
        isStale ||= read.stale;
      }
    }
    printProblems(context, problems);
    const failed = problems.length === 0 ? 0 : exitCode(isStale ? { stale: true } : { errors: true });
    if (told.length === 0) return failed;
    const markdown = await previewOf(told);
    if (flags.file !== undefined) await writeText(context, flags.file, markdown);
    if (environment === undefined) return failed;
    const { published, others } = await publish(context, told, flags.after, environment);
    printProblems(context, others?.diagnostics ?? []);
    if (published.posted !== undefined) {
      host.out(`${sentence(published.posted)}\n${othersText(others)}`);
      return failed;
    }
    printProblems(context, [published.diagnostic]);
    if (flags.file === undefined) await writeText(context, markdownFileOf(words[0] ?? ''), markdown);
    await writeSummary(context, environment.summaryFile, told.map(({ text }) => text.summary).join('\n'));
    return failed === 0 ? exitCode({ errors: hasErrors([published.diagnostic]) }) : failed;
  },
});

/** A result as it is told, and the folder of sync.yaml that it is of. */
interface Told {
  readonly text: OutcomeText;
  readonly at: ReviewPlace;
}

interface TellingFlags {
  readonly after: 'plan' | 'apply';
  readonly ended: (typeof endings)[number] | undefined;
  readonly job: readonly string[] | undefined;
}

/** Without plans whose result is there, too: jobs leave them in folders of their own. */
function withoutCarriedOut(results: readonly ResultFile[]): readonly ResultFile[] {
  const keyOf = ({ document }: NonNullable<ResultFile['found']>): string =>
    JSON.stringify([document.project, document.stack]);
  const applied = new Set(results.flatMap(({ found }) => (found?.kind === 'apply-result' ? [keyOf(found)] : [])));
  return results.filter(({ found }) => found?.kind !== 'plan' || !applied.has(keyOf(found)));
}

/** A result, or none where something says how the job ended. */
function isTellable(read: ResultFile, { ended, job = [] }: TellingFlags): boolean {
  return read.found !== undefined || (read.missing && (ended !== undefined || job.length > 0));
}

async function textOf(
  context: RunContext,
  read: ResultFile,
  { after, ended, job = [] }: TellingFlags,
  here: ReviewPlace,
  environment: ReviewEnvironment | undefined,
): Promise<Told> {
  const folder = read.found === undefined ? undefined : originOf(read.found).pipeline.folder;
  const at = { ...here, ...defined({ folder }) };
  if (isResult(read, after)) return { at, text: await outcomeText(read, at) };
  const ending = ended ?? (await endingOf(context, environment, job));
  return { at, text: endedText(ending, namedStack(context.flags.stack, context.host.env), at, read) };
}

/** The text as it stands in a request that was told of nothing else. */
async function previewOf(told: readonly Told[]): Promise<string> {
  const [first, ...others] = told;
  if (first !== undefined && others.length === 0) return first.text.markdown;
  const [{ commentText }, { entriesWith }] = await Promise.all([
    import('@platform-sync/review/comment-text'),
    import('@platform-sync/review/entry'),
  ]);
  const revision = { commit: '0'.repeat(40), planned: new Date(0).toISOString() };
  const parts = await Promise.all(
    told.map(async ({ text: { row, markdown, ...of }, at }) => ({
      subject: await subjectOfText(of, at),
      part: { kind: 'plan' as const, revision, row, markdown },
    })),
  );
  return commentText(entriesWith([], parts)).text;
}

const noRequest: Diagnostic = {
  severity: 'warning',
  code: 'review-no-request',
  summary: 'This pipeline belongs to no pull or merge request; no comment was made.',
  hint: 'Run it for pull requests, or name one: --request NUMBER',
};

/** A result of another job is none of this one's: what it says would stand under a commit that it is not about. */
async function foreignResult(
  context: RunContext,
  { found }: ResultFile,
  asked: number | undefined,
): Promise<Diagnostic | undefined> {
  if (found === undefined) return undefined;
  const { flags, host } = context;
  const { foreignTo, pipelineOf, runBefore } = await import('@platform-sync/review/pipeline');
  const { stack, pipeline } = originOf(found);
  const named = flags.stack ?? host.env['SYNC_STACK'] ?? '';
  const runs = [asked, runBefore(host.env)].filter((run) => run !== undefined);
  const what =
    named !== '' && stack !== undefined && stack !== named
      ? `is of stack ${stack}, and this job is for ${named}`
      : (foreignTo(pipelineOf(host.env) ?? {}, pipeline, runs) ?? (await otherProject(context, found)));
  if (what === undefined) return undefined;
  return {
    severity: 'error',
    code: 'result-of-another-job',
    summary: `The result ${visible(what)}. No comment was made.`,
    hint: 'Take the reports of the job that this one follows. If another run made them, name it: --run NUMBER',
  };
}

/** The project that a result names, where the sync.yaml of its folder names another. A review plans a project by the name that its base gives it. */
async function otherProject(context: RunContext, found: NonNullable<ResultFile['found']>): Promise<string | undefined> {
  const { project } = found.document;
  const { folder = '' } = originOf(found).pipeline;
  const isReview = found.kind === 'plan' && found.document.meta.base !== undefined;
  if (project === undefined || isReview || folder.split('/').includes('..')) return undefined;
  const own = await projectNameIn(join(repositoryRoot(context) ?? context.folder, folder));
  return own === undefined || own === project ? undefined : `is of project ${project}, and this job is for ${own}`;
}

/** After an apply that left nothing, the plan that it was to carry out tells nobody what became of it. */
function isResult(read: ResultFile, after: 'plan' | 'apply'): read is Extract<ResultFile, { path: string }> {
  return read.found !== undefined && !(after === 'apply' && isToBeApplied(read));
}

/** How the jobs ended, as the platform says; failed where it says nothing. */
async function endingOf(
  context: RunContext,
  environment: ReviewEnvironment | undefined,
  jobs: readonly string[],
): Promise<(typeof endings)[number]> {
  if (environment === undefined || jobs.length === 0) return 'failed';
  const { endingOfJobs } = await import('@platform-sync/review/job-ending');
  return (await endingOfJobs(environment, jobs, patience(context))) ?? 'failed';
}

async function publish(
  context: RunContext,
  told: readonly Told[],
  after: 'plan' | 'apply',
  environment: ReviewEnvironment,
): Promise<{ readonly published: Published; readonly others?: TellingOthers }> {
  const { publishOutcomes, requestOfCommit } = await import('@platform-sync/review/publish');
  const { project, commit } = environment;
  // After the merge there is no request any more, but the one that the commit came from.
  const isAsked = told.some(({ text }) => text.isOfRequest) && environment.request === undefined;
  const found =
    isAsked && project !== undefined && commit !== undefined
      ? await requestOfCommit(project, commit, patience(context))
      : undefined;
  const request = environment.request ?? found?.request;
  if (request === undefined) return { published: { diagnostic: found?.diagnostic ?? noRequest } };
  const outcomes = await Promise.all(
    told.map(async ({ text, at }): Promise<OutcomeComment> => {
      const { row, markdown, at: when = momentIn(context.host.world), digest = '0'.repeat(40) } = text;
      const isRun = text.stands || found !== undefined || after === 'apply';
      return {
        subject: await subjectOfText(text, at),
        ...{ kind: isRun ? 'run' : 'plan', at: when, digest, row, markdown },
        ...(text.stands || found !== undefined ? {} : { superseded: supersededText(text, at) }),
      };
    }),
  );
  const where = { ...environment, request };
  const published = await publishOutcomes(outcomes, where, patience(context));
  const changed = outcomes.filter((_, at) => told[at]?.text.isChanged === true);
  if (found?.merged === undefined || published.posted === undefined || changed.length === 0) return { published };
  const { publishToOthers } = await import('@platform-sync/review/publish-others');
  return { published, others: await publishToOthers(changed, where, found.merged, patience(context)) };
}

async function subjectOfText(
  { project, stack }: Pick<OutcomeText, 'project' | 'stack'>,
  { folder = '' }: ReviewPlace,
): Promise<Subject> {
  const { subjectOf } = await import('@platform-sync/review/subject');
  return subjectOf(defined({ project, stack }), folder);
}

function othersText(others: TellingOthers | undefined): string {
  if (others === undefined) return '';
  const of = (numbers: readonly number[]): string => numbers.map((number) => `#${number}`).join(', ');
  return [
    others.merged.length === 0 ? '' : `Also updated, because it was merged before: ${of(others.merged)}.\n`,
    others.open.length === 0 ? '' : `Marked with an old plan: ${of(others.open)}.\n`,
  ].join('');
}

function patience(context: RunContext): { wait(ms: number, why: string): Promise<void>; now(): number } {
  const { now, sleep } = context.host.world;
  return {
    wait: async (ms, why) => {
      context.progress.listener({ type: 'waiting', ms, reason: why });
      await sleep(ms);
    },
    now,
  };
}

const outcomes: Readonly<Record<Posted['outcome'], string>> = {
  created: 'Commented',
  edited: 'Edited the comment',
  unchanged: 'The comment says so already',
  superseded: 'Left the comment alone: it is about a newer commit',
};

function sentence({ outcome, url, removed }: Posted): string {
  const where = url === undefined ? '' : `: ${visible(url)}`;
  const gone = removed === 0 ? '' : ` (${removed} older of ours removed)`;
  return `${outcomes[outcome]}${where}${gone}.`;
}

/** `out/plan.json` → `out/plan.md`; a folder has its comment inside. */
function markdownFileOf(result: string): string {
  const { dir, name, ext } = parse(result);
  return ext === '' ? join(result, 'comment.md') : join(dir, `${name}.md`);
}

async function writeText(context: RunContext, file: string, markdown: string): Promise<void> {
  await writeReport(resolve(context.cwd, file), markdown);
  context.host.out(`The Markdown is in ${visible(file)}.\n`);
}

async function writeSummary(context: RunContext, file: string | undefined, markdown: string): Promise<void> {
  if (file === undefined) return;
  await appendFile(file, markdown);
  context.host.out('The job summary shows it, too.\n');
}
