import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sha256 } from '@platform-sync/core/model/canonical';
import type { ConsoleSettings } from '@platform-sync/core/model/console';
import { type Diagnostic, DiagnosticError, hasErrors } from '@platform-sync/core/model/diagnostic';
import type { DriftVerb, Finding } from '@platform-sync/core/model/drift';
import type { Job, JobFound, Settled, Settlement } from '@platform-sync/core/model/fleet';
import { defined } from '@platform-sync/core/model/value';
import type { Project } from '@platform-sync/engine/api';
import { checkOutCommit, editOf } from '@platform-sync/engine/use-cases/base/checkout';
import { code, prose } from '@platform-sync/report/markdown/escape';
import { findingName } from '@platform-sync/report/words/drift';
import { visible } from '@platform-sync/report/words/escape';
import { count } from '@platform-sync/report/words/value';
import { planState } from '@platform-sync/report/document/found';
import { proposeEdit } from '@platform-sync/review/hosts';
import { editIn, explain, insecure, withoutToken } from '@platform-sync/review/problems';
import { ReviewError } from '@platform-sync/review/review-error';
import { projectEnvironment } from '@platform-sync/review/environment';
import type { ProposedEdit, ReviewProject } from '@platform-sync/review/review-request';
import { isSafeServer } from '@platform-sync/review/safe-server';
import { issuePatience } from '../drift/issue.js';
import { withProject, type RunContext } from '../run/run-context.js';

interface Settling {
  readonly job: Job & { readonly settlement: Settlement };
  /** Where a request is opened; left out: whoever asked copies the edit. */
  readonly repository?: NonNullable<ConsoleSettings['repository']>;
}

/** What came of it, and the plan that it made. */
type Came = Omit<Settled, keyof Settlement | 'by'> & Pick<JobFound, 'plan'>;

/** Does with findings of one stack what somebody asked for, by the code of `sync drift accept`, `ignore`, `revert` and `record`. */
export async function settleFindings(context: RunContext, settling: Settling): Promise<JobFound> {
  const { job } = settling;
  const { plan, ...came } = await verbs[job.settlement.verb](context, settling).catch((error: unknown) => {
    if (error instanceof DiagnosticError) return refusal(error.diagnostics);
    throw error;
  });
  const settled = { ...job.settlement, ...came, ...defined({ by: job.by }) };
  const found = plan === undefined ? ({ state: 'drift', cause: came.words } as const) : planState(plan);
  return { found, settled, ...defined({ plan, authors: job.authors }) };
}

const verbs: Readonly<Record<DriftVerb, (context: RunContext, settling: Settling) => Promise<Came>>> = {
  accept: edited,
  ignore: edited,
  revert: reverted,
  record: recorded,
};

function refusal(diagnostics: readonly Diagnostic[]): Came {
  const problem = diagnostics.find(({ severity }) => severity === 'error') ?? diagnostics[0];
  const words = [problem?.summary ?? 'It could not be done.', problem?.hint].filter((one) => one !== undefined);
  return { outcome: 'failed', words: words.join(' ') };
}

/** The project that is opened for it. Throws what keeps it from being opened. */
async function inProject<T>(context: RunContext, purpose: string, work: (project: Project) => Promise<T>): Promise<T> {
  const done: T[] = [];
  const why: Diagnostic[] = [];
  await withProject(
    context,
    purpose,
    async (project) => {
      done.push(await work(project));
      return 0;
    },
    async (diagnostics) => void why.push(...diagnostics),
  );
  const [first] = done;
  if (first === undefined) throw new DiagnosticError(why);
  return first;
}

async function reverted(context: RunContext, { job: { settlement } }: Settling): Promise<Came> {
  const { plan, diagnostics } = await inProject(context, 'drift revert', (project) =>
    project.revertDrift(settlement.findings),
  );
  if (plan === undefined) return refusal(diagnostics);
  const { effectDigest: effect } = plan;
  return { outcome: 'done', words: 'A plan that puts it back waits for approval.', plan, ...defined({ effect }) };
}

async function recorded(context: RunContext, { job: { settlement } }: Settling): Promise<Came> {
  const { recorded: taken, diagnostics } = await inProject(context, 'drift record', (project) =>
    project.recordDrift(settlement.findings),
  );
  if (hasErrors(diagnostics)) return refusal(diagnostics);
  return { outcome: 'done', words: `${count(taken.length, 'finding')} taken into the record.` };
}

/** Of a file of the catalogue: made in a folder of its own, as the commit at HEAD has it. */
async function edited(context: RunContext, { job, repository }: Settling): Promise<Came> {
  const { world } = context.host;
  const place = await mkdtemp(join(tmpdir(), 'sync-settle-'));
  try {
    const into = join(place, 'tree');
    await mkdir(into);
    const tree = await checkOutCommit(world, { folder: context.folder, remote: 'origin', into });
    const own = { ...context, folder: tree.folder };
    const done = await inProject(own, `drift ${job.settlement.verb}`, (project) => written(project, job.settlement));
    const { diff, files } = await editOf(world, tree);
    if (hasErrors(done.diagnostics) || files.length === 0) return refusal(done.diagnostics);
    const left = done.diagnostics.filter(({ severity }) => severity !== 'info').map(({ summary }) => summary);
    const edit = { ...textsOf(job, done.findings), onto: tree.head, files, branch: branchOf(job, tree.head, diff) };
    return { diff, ...(await proposed(context, edit, forgeOf(context, repository), left)) };
  } finally {
    await rm(place, { recursive: true, force: true });
  }
}

interface Written {
  readonly findings: readonly Finding[];
  readonly diagnostics: readonly Diagnostic[];
}

async function written(project: Project, { verb, findings, reason = '', until }: Settlement): Promise<Written> {
  if (verb === 'ignore') {
    const { ignored, diagnostics } = await project.ignoreDrift(findings, { reason, ...defined({ until }) });
    return { findings: ignored, diagnostics };
  }
  const { accepted, diagnostics } = await project.acceptDrift(findings);
  return { findings: accepted, diagnostics };
}

/** Says nothing of what it holds but that it is the same. */
function branchOf({ project, stack, settlement: { verb } }: Settling['job'], onto: string, diff: string): string {
  return `sync-drift-${verb}-${sha256(JSON.stringify([project, stack, onto, diff])).slice(0, 16)}`;
}

function textsOf(
  { project, stack, by, settlement: { verb, reason = '', until } }: Settling['job'],
  findings: readonly Finding[],
): Pick<ProposedEdit, 'title' | 'body'> {
  const names = findings.map(findingName);
  const [name = ''] = names;
  const what = names.length === 1 ? visible(name) : `${count(names.length, 'change')} of ${project}/${stack}`;
  const why =
    verb === 'accept'
      ? 'This was changed on the platform, outside of the catalogue. This request writes it into the catalogue.'
      : `The drift check is to leave this out${until === undefined ? '' : ` until ${until}`}. Why: ${prose(reason)}`;
  const asked = by === undefined ? '' : `\nAsked for by ${code(by)} on the console.\n`;
  return {
    title: `${verb === 'accept' ? 'Accept' : 'Ignore'} drift: ${what}`.slice(0, 200),
    body: `${why}\n\n${names.map((one) => `- ${code(one)}\n`).join('')}${asked}`,
  };
}

/** The repository that fleet.yaml names, with the token of this worker, and its forge's own address where that is another one. */
function forgeOf({ host: { env } }: RunContext, repository: Settling['repository'] = {}): ReviewProject | undefined {
  const { github, gitlab } = repository;
  const page = github ?? gitlab;
  if (page === undefined) return undefined;
  const { origin, pathname } = new URL(page);
  const path = pathname.slice(1);
  const { GITHUB_TOKEN, GH_TOKEN, GITHUB_API_URL, GITLAB_TOKEN, CI_API_V4_URL } = env;
  const api = origin === 'https://github.com' ? 'https://api.github.com' : `${origin}/api/v3`;
  const own =
    github === undefined
      ? { GITLAB_TOKEN, CI_API_V4_URL, CI_SERVER_URL: origin, CI_PROJECT_ID: path }
      : { GITHUB_TOKEN, GH_TOKEN, GITHUB_API_URL: GITHUB_API_URL ?? api, GITHUB_REPOSITORY: path };
  return projectEnvironment(own, github === undefined ? 'gitlab' : 'github')?.project;
}

/** Without a forge, or where it refuses, the edit itself is what somebody gets. */
async function proposed(
  context: RunContext,
  edit: ProposedEdit,
  project: ReviewProject | undefined,
  left: readonly string[],
): Promise<Omit<Came, 'diff'>> {
  const says = (...words: readonly string[]): Omit<Came, 'diff'> => ({
    outcome: 'done',
    words: [...words, ...left].join(' '),
  });
  if (project === undefined) return says('fleet.yaml names no repository: apply the edit by hand.');
  const problem = !isSafeServer(project.apiUrl)
    ? insecure(project)
    : project.token === undefined
      ? withoutToken(editIn(project))
      : undefined;
  if (problem !== undefined) return says(problem.summary, 'Apply the edit by hand.');
  try {
    const url = await proposeEdit(project, edit, issuePatience(context));
    return { ...says('A request proposes the edit.'), url };
  } catch (error) {
    if (!(error instanceof ReviewError)) throw error;
    return says(explain(error, editIn(project)).summary, 'Apply the edit by hand.');
  }
}
