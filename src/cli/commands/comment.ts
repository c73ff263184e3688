import { appendFile } from 'node:fs/promises';
import { join, parse, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { argument, integer, option, string as text } from '../arguments/flag.js';
import { defined } from '../../engine/model/defined.js';
import { hasErrors, type Diagnostic } from '../../engine/model/diagnostic.js';
import { stackName } from '../../engine/model/stack-name.js';
import { endings, supersededMarkdown } from '../../report/markdown/ended.js';
import { visible } from '../../report/words/escape.js';
import type { ReviewPlace } from '../../report/view/review-place.js';
import type { OutcomeComment, Published } from '../../review/publish.js';
import type { ReviewEnvironment } from '../../review/review-environment.js';
import type { Posted } from '../../review/sticky-comment.js';
import { exitCode } from '../process/exit-code.js';
import { endedText, isToBeApplied, outcomeText, type OutcomeText } from '../review/outcome-text.js';
import { writeReport } from '../files/report-file.js';
import { originOf, readResultFile, type ResultFile } from '../files/result-file.js';
import { reviewPlaceOf } from '../review/review-place.js';
import { printProblems, type RunContext } from '../run/run-context.js';
import { command } from '../run/command.js';
import { UsageError } from '../process/usage-error.js';

export const commentCommand = command({
  summary: 'Tell a pull request or merge request what became of a plan or an apply, in one comment.',
  description:
    "Creates the comment of this project and stack, or edits the one it made before; an older commit never overwrites what a newer one said. Request, commit and token come from the pipeline's variables (GITHUB_TOKEN or GITLAB_TOKEN); after the merge, what became of plan and apply goes to the request that the commit came from. Where the pipeline may only read, as for a fork, the Markdown goes to a file and to the job summary instead.",
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
      description: 'a plan, what stands in for one, the result of an apply or a drift check, or the folder they are in',
    }),
  },
  flags: {
    platform: option({
      options: ['github', 'gitlab'] as const,
      description: 'where the request is; default: the one whose pipeline this is',
    })(),
    request: integer({ description: 'number of the pull or merge request', helpValue: 'NUMBER', min: 1 }),
    file: text({ description: 'write the Markdown to this file, too', helpValue: 'FILE' }),
    after: option({
      options: ['plan', 'apply'] as const,
      description: 'what was to leave the result; after an apply, a plan that could be applied is none',
      default: 'plan' as const,
    })(),
    ended: option({ options: endings, description: 'how the job ended, for when it left no result' })(),
    run: integer({
      description: 'the run of the pipeline that made the result, where it is not this one',
      helpValue: 'NUMBER',
      min: 1,
    }),
    job: text({
      description: 'on GitLab, a job whose end is asked for when there is no result; repeatable, in order',
      helpValue: 'NAME',
      multiple: true,
      exclusive: ['ended'],
    }),
  },
  needs: 'context',
  async run({ args, flags, host, context }) {
    const { reviewEnvironment } = await import('../../review/environment.js');
    const environment = reviewEnvironment(host.env, { platform: flags.platform, number: flags.request });
    if (environment === undefined && flags.file === undefined)
      throw new UsageError(
        'there is no pipeline here to tell which request to comment on',
        'name it: --platform github --request 42, or write the text to a file: --file plan.md',
      );
    const at = await reviewPlaceOf(context, environment);
    const read = await readResultFile(resolve(context.cwd, args.result));
    const foreign = await foreignResult(context, read, flags.run);
    if (foreign !== undefined) {
      printProblems(context, [foreign]);
      return exitCode({ errors: true });
    }
    const { ended, job: jobs = [] } = flags;
    if (read.found === undefined && !(read.missing && (ended !== undefined || jobs.length > 0))) {
      printProblems(context, [read.diagnostic]);
      return exitCode(read.stale ? { stale: true } : { errors: true });
    }
    const told = isResult(read, flags.after)
      ? await outcomeText(read, at)
      : endedText(ended ?? (await endingOf(context, environment, jobs)), stackOf(context), at, read);
    if (flags.file !== undefined) await writeText(context, flags.file, told.markdown);
    if (environment === undefined) return 0;
    const published = await publish(context, told, at, environment);
    if (published.posted !== undefined) {
      host.out(`${sentence(published.posted)}\n`);
      return 0;
    }
    printProblems(context, [published.diagnostic]);
    if (flags.file === undefined) await writeText(context, markdownFileOf(args.result), told.markdown);
    await writeSummary(context, environment.summaryFile, told.summary);
    return exitCode({ errors: hasErrors([published.diagnostic]) });
  },
});

const noRequest: Diagnostic = {
  severity: 'warning',
  code: 'review-no-request',
  summary: 'This pipeline belongs to no pull or merge request; no comment was made.',
  hint: 'Run it for pull requests, or name one: --request NUMBER',
};

/** A result of another job is none of this one's: what it says would stand under a commit that it is not about. */
async function foreignResult(
  { flags, host }: RunContext,
  { found }: ResultFile,
  asked: number | undefined,
): Promise<Diagnostic | undefined> {
  if (found === undefined) return undefined;
  const { foreignTo, pipelineOf, runBefore } = await import('../../review/pipeline.js');
  const { stack, pipeline } = originOf(found);
  const named = flags.stack ?? host.env['SYNC_STACK'] ?? '';
  const runs = [asked, runBefore(host.env)].filter((run) => run !== undefined);
  const what =
    named !== '' && stack !== undefined && stack !== named
      ? `is of stack ${stack}, and this job is for ${named}`
      : foreignTo(pipelineOf(host.env) ?? {}, pipeline, runs);
  if (what === undefined) return undefined;
  return {
    severity: 'error',
    code: 'result-of-another-job',
    summary: `The result ${visible(what)}. No comment was made.`,
    hint: 'Take the reports of the job that this one follows. A run that made them elsewhere is named with --run NUMBER.',
  };
}

function stackOf({ flags, host }: RunContext): string {
  return stackName(flags.stack, host.env);
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
  const { endingOfJobs } = await import('../../review/job-ending.js');
  return (await endingOfJobs(environment, jobs, patience(context))) ?? 'failed';
}

async function publish(
  context: RunContext,
  told: OutcomeText,
  at: ReviewPlace,
  environment: ReviewEnvironment,
): Promise<Published> {
  const [{ publishOutcome, requestOfCommit }, { subjectOf }] = await Promise.all([
    import('../../review/publish.js'),
    import('../../review/subject.js'),
  ]);
  const { project, commit } = environment;
  // After the merge there is no request any more, but the one that the commit came from.
  const merged =
    told.isOfRequest && environment.request === undefined && project !== undefined && commit !== undefined
      ? await requestOfCommit(project, commit, patience(context))
      : undefined;
  const request = environment.request ?? merged?.request;
  if (request === undefined) return { diagnostic: merged?.diagnostic ?? noRequest };
  const {
    stack = stackOf(context),
    project: name,
    at: when = new Date().toISOString(),
    digest = '0'.repeat(40),
  } = told;
  const outcome: OutcomeComment = {
    subject: subjectOf({ stack, ...defined({ project: name }) }, at.folder ?? ''),
    ...{ at: when, digest, markdown: told.markdown },
    ...(told.stands || merged !== undefined ? {} : { superseded: (head) => supersededMarkdown(head, at) }),
  };
  return publishOutcome(outcome, { ...environment, request }, patience(context));
}

function patience(context: RunContext): { wait(ms: number, why: string): Promise<void>; now(): number } {
  return {
    wait: async (ms, why) => {
      context.progress.listener({ type: 'waiting', ms, reason: why });
      await sleep(ms);
    },
    now: Date.now,
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
