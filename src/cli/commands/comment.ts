import { appendFile, mkdir, writeFile } from 'node:fs/promises';
import { basename, dirname, join, parse, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { string } from '@oclif/core/args';
import { integer, option, string as text } from '@oclif/core/flags';
import { DiagnosticError, hasErrors } from '../../engine/model/diagnostic.js';
import type { Diagnostic } from '../../engine/model/diagnostic.js';
import type { Plan } from '../../engine/model/plan.js';
import { visible } from '../../report/escape.js';
import type { Posted } from '../../review/sticky-comment.js';
import { exitCode } from '../exit-code.js';
import type { ExitCode } from '../exit-code.js';
import { readPlanFile } from '../plan-file.js';
import { printProblems, withContext } from '../run-context.js';
import type { RunContext } from '../run-context.js';
import type { Surroundings } from '../surroundings.js';
import { SyncCommand } from '../sync-command.js';
import { UsageError } from '../usage-error.js';

export class CommentCommand extends SyncCommand {
  static override summary = 'Put a plan into a pull request or merge request as its one comment.';
  static override description =
    "Creates the comment of this project, stack and server, or edits the one it made before; an older commit never overwrites what a newer one said. Request, commit and token come from the pipeline's variables (GITHUB_TOKEN or GITLAB_TOKEN). Where the pipeline may only read, as for a fork, the Markdown goes to a file and to the job summary instead.";
  static override examples = [
    '<%= config.bin %> comment plan.json',
    '<%= config.bin %> comment plan.json --file plan.md',
    '<%= config.bin %> comment plan.json --platform github --request 42',
  ];
  static override args = {
    plan: string({ name: 'PLAN', required: true, description: 'file written by sync plan --out' }),
  };
  static override flags = {
    platform: option({
      options: ['github', 'gitlab'] as const,
      description: 'where the request is; default: the one whose pipeline this is',
    })(),
    request: integer({ description: 'number of the pull or merge request', helpValue: 'NUMBER', min: 1 }),
    file: text({ description: 'write the Markdown to this file, too', helpValue: 'FILE' }),
  };

  override async execute(around: Surroundings): Promise<ExitCode> {
    const { args, flags } = await this.parse(CommentCommand);
    return withContext(around, flags, async (context) => {
      const { reviewEnvironment } = await import('../../review/environment.js');
      const environment = reviewEnvironment(around.env, { platform: flags.platform, number: flags.request });
      if (environment === undefined && flags.file === undefined)
        throw new UsageError(
          'there is no pipeline here to tell which request to comment on',
          'name it: --platform github --request 42, or write the text to a file: --file plan.md',
        );
      const read = await readPlanFile(resolve(context.cwd, args.plan));
      if (read.plan === undefined) {
        printProblems(context, [read.diagnostic]);
        return exitCode(read.stale ? { stale: true } : { errors: true });
      }
      const { plan } = read;
      // The reader is elsewhere: the folders of this machine mean nothing there.
      const markdown = await markdownOf(plan, basename(args.plan));
      if (flags.file !== undefined) await writeText(context, flags.file, markdown);
      if (environment === undefined) return 0;
      const { request } = environment;
      const { publishPlan } = await import('../../review/publish.js');
      const published =
        request === undefined
          ? { diagnostic: noRequest }
          : await publishPlan(plan, markdown, { ...environment, request }, patience(context));
      if (published.posted !== undefined) {
        around.out(`${sentence(published.posted)}\n`);
        return 0;
      }
      printProblems(context, [published.diagnostic]);
      if (flags.file === undefined) await writeText(context, markdownFileOf(args.plan), markdown);
      await writeSummary(context, environment.summaryFile, plan, basename(args.plan));
      return exitCode({ errors: hasErrors([published.diagnostic]) });
    });
  }
}

const noRequest: Diagnostic = {
  severity: 'warning',
  code: 'review-no-request',
  summary: 'This pipeline belongs to no pull or merge request; no comment was made.',
  hint: 'Run it for pull requests, or name one: --request NUMBER',
};

async function markdownOf(plan: Plan, planFile: string): Promise<string> {
  const [{ planMarkdown }, { PlanViews }, { structuredReader }] = await Promise.all([
    import('../../report/markdown.js'),
    import('../../report/plan-views.js'),
    import('../../report/structured-text.js'),
  ]);
  return planMarkdown(plan, { planFile, views: new PlanViews(await structuredReader(plan)) });
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

/** `out/plan.json` → `out/plan.md` */
function markdownFileOf(planFile: string): string {
  const { dir, name } = parse(planFile);
  return join(dir, `${name}.md`);
}

async function writeText(context: RunContext, file: string, markdown: string): Promise<void> {
  const path = resolve(context.cwd, file);
  try {
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, markdown);
  } catch (error) {
    const summary = `The Markdown can't be written to ${file}: ${(error as Error).message}.`;
    throw new DiagnosticError([{ severity: 'error', code: 'file-unwritable', summary }]);
  }
  context.around.out(`The Markdown is in ${visible(file)}.\n`);
}

async function writeSummary(
  context: RunContext,
  file: string | undefined,
  plan: Plan,
  planFile: string,
): Promise<void> {
  if (file === undefined) return;
  const [{ jobSummary }, { PlanViews }, { structuredReader }] = await Promise.all([
    import('../../report/github.js'),
    import('../../report/plan-views.js'),
    import('../../report/structured-text.js'),
  ]);
  await appendFile(file, jobSummary(plan, { planFile, views: new PlanViews(await structuredReader(plan)) }));
  context.around.out('The job summary shows it, too.\n');
}
