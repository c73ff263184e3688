import { appendFile } from 'node:fs/promises';
import { relative, resolve } from 'node:path';
import { DiagnosticError, type Diagnostic } from '@platform-sync/core/model/diagnostic';
import type { DriftResult } from '@platform-sync/core/model/drift';
import { driftMarkdown } from '@platform-sync/report/markdown/drift';
import { driftVerdict, shortTime } from '@platform-sync/report/words/drift';
import { visible } from '@platform-sync/report/words/escape';
import { projectEnvironment } from '@platform-sync/review/environment';
import type { IssueResult } from '@platform-sync/review/keep-issue';
import type { Patience } from '@platform-sync/review/patience';
import { publishDrift, type PublishedDrift } from '@platform-sync/review/publish-drift';
import type { ProjectEnvironment } from '@platform-sync/review/review-environment';
import { shows } from '../arguments/global-flags.js';
import { writeReport } from '../files/report-file.js';
import type { RunContext } from '../run/run-context.js';
import { UsageError } from '../process/usage-error.js';

export interface DriftIssueFlags {
  readonly platform: 'github' | 'gitlab' | undefined;
  readonly 'report-dir': string | undefined;
}

// What a check that failed found before is kept below its problems: both have to fit the 65,536 of an issue.
const maxCharacters = 58_000;

/** Where the issue is; refused before anything is read when nothing tells. */
export function issueEnvironment(
  env: Readonly<Record<string, string | undefined>>,
  platform: DriftIssueFlags['platform'],
): ProjectEnvironment {
  const found = projectEnvironment(env, platform);
  if (found !== undefined) return found;
  throw new UsageError(
    'no pipeline says where the issue is',
    'Set GITHUB_REPOSITORY or CI_PROJECT_ID, and name the platform:\n--platform github\n--platform gitlab',
  );
}

/** Keeps the issue up to date, or hands its text over in a file. Says on stderr what became of it. */
export async function keepDriftIssue(
  context: RunContext,
  result: DriftResult,
  environment: ProjectEnvironment,
  flags: DriftIssueFlags,
): Promise<readonly Diagnostic[]> {
  const published = await publish(context, result, environment);
  if (published.kept !== undefined) {
    tellKept(context, published.kept);
    return [];
  }
  try {
    await handOver(context, result, environment, flags);
    return [published.diagnostic];
  } catch (error) {
    if (error instanceof DiagnosticError) return [published.diagnostic, ...error.diagnostics];
    throw error;
  }
}

async function publish(
  context: RunContext,
  result: DriftResult,
  { project, platform, root }: ProjectEnvironment,
): Promise<PublishedDrift> {
  if (project === undefined) return { diagnostic: noIssueProject(platform) };
  const of = [visible(result.project), ...(result.stack === '' ? [] : [`stack ${visible(result.stack)}`])];
  const name = of.filter((part) => part !== '').join(', ') || 'a project that could not be read';
  const texts = {
    title: `Drift: ${name}`.slice(0, 200),
    markdown: driftMarkdown(result, { maxCharacters, lasting: true }),
    closingComment: `${driftVerdict(result)} Checked ${shortTime(result.checkedAt)}.`,
    folder: folderIn(root, context.folder),
  };
  return publishDrift(result, texts, project, issuePatience(context));
}

/** Outside of a pipeline the folder counts as the root: it is for telling two projects of one repository apart. */
export function folderIn(root: string | undefined, cwd: string): string {
  if (root === undefined) return '';
  const folder = relative(resolve(root), cwd).replaceAll('\\', '/');
  return folder.startsWith('..') ? '' : folder;
}

export function noIssueProject(platform: ProjectEnvironment['platform']): Diagnostic {
  const name = platform === 'github' ? 'GITHUB_REPOSITORY' : 'CI_PROJECT_ID';
  return {
    severity: 'error',
    code: 'issue-no-project',
    summary: `${name} does not say whose issue is to be kept up to date.`,
    hint:
      platform === 'github' ? 'It is the owner and the name: acme/shop' : 'It is the number or the path of a project.',
  };
}

export function issuePatience(context: RunContext): Patience {
  const { now, sleep } = context.host.world;
  return {
    wait: async (ms, reason) => {
      context.progress.listener({ type: 'waiting', ms, reason });
      await sleep(ms);
    },
    now,
  };
}

const outcomes: Readonly<Record<IssueResult['outcome'], string>> = {
  opened: 'Opened an issue',
  reopened: 'Opened the issue again',
  edited: 'Edited the issue',
  unchanged: 'The issue says so already',
  closed: 'Closed the issue',
  none: 'There is no issue to close',
  superseded: 'Left the issue alone: a newer check has written it',
  'other-state':
    'Left the issue open: it is about another state. If that state is no longer used, close the issue by hand',
};

/** Says what became of the issue. */
export function tellKept(context: RunContext, { outcome, url }: IssueResult): void {
  say(context, `${outcomes[outcome]}${url === undefined ? '' : `: ${visible(url)}`}.`);
}

function say(context: RunContext, text: string): void {
  if (!shows(context.flags['log-level'], 'info')) return;
  context.progress.clear();
  context.host.err(`${text}\n`);
}

/** With a folder for reports the text is in it, and the pipeline's own; else it would be lost. */
async function handOver(
  context: RunContext,
  result: DriftResult,
  { summaryFile }: ProjectEnvironment,
  flags: DriftIssueFlags,
): Promise<void> {
  const folder = flags['report-dir'];
  if (folder !== undefined) {
    say(context, `The Markdown is in ${visible(folder.replace(/\/+$/, ''))}/drift.md.`);
    return;
  }
  const markdown = driftMarkdown(result);
  await writeReport(resolve(context.cwd, 'drift.md'), markdown);
  say(context, 'The Markdown is in drift.md.');
  if (summaryFile === undefined) return;
  await appendFile(summaryFile, markdown);
  say(context, 'The job summary shows it, too.');
}
