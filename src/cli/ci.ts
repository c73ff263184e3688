// One job of a pipeline: `node dist/ci.js plan|comment|apply|drift`; the GitHub action runs it, too. Settings come from the
// environment, never from the pipeline's own syntax, so that no name can become a command. It calls the program as anybody would, and
// hands on what that found out. The exit code is the program's. docs/guides/ci.md tells of the variables.
import { spawn, spawnSync } from 'node:child_process';
import {
  appendFileSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
} from 'node:fs';
import { constants, tmpdir } from 'node:os';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

type Variables = Readonly<Record<string, string | undefined>>;

/** Inputs of the action, and the variables that say the same in every other pipeline. */
const variableOf = {
  'working-directory': 'SYNC_DIR',
  stack: 'SYNC_STACK',
  'all-stacks': 'SYNC_ALL_STACKS',
  base: 'SYNC_BASE',
  untrusted: 'SYNC_UNTRUSTED',
  folder: 'SYNC_OUT',
  allow: 'SYNC_ALLOW',
  reason: 'SYNC_REASON',
  'plan-run-id': 'SYNC_PLAN_RUN',
  approved: 'SYNC_APPROVED',
  'lock-timeout': 'SYNC_LOCK_TIMEOUT',
  after: 'SYNC_AFTER',
  ended: 'SYNC_ENDED',
  issue: 'SYNC_ISSUE',
  'id-token': 'SYNC_ID_TOKEN',
  'github-token': 'GITHUB_TOKEN',
} as const;

const input = (name: string): string | undefined => process.env[`INPUT_${name.toUpperCase()}`]?.trim();
const command = input('command') ?? process.argv[2] ?? '';
/** In the action its inputs are all that counts. */
const settings: Variables = process.env['INPUT_COMMAND']
  ? Object.fromEntries(Object.entries(variableOf).map(([name, variable]) => [variable, input(name)]))
  : process.env;
const given = (variable: string): string => settings[variable] ?? '';
const says = (variable: string, word = 'true'): boolean => given(variable) === word;
const isOfAllStacks = says('SYNC_ALL_STACKS');
/** Folder of the checkout that goes from job to job; reports are made elsewhere and put there in the end. */
const artifact = given('SYNC_ARTIFACT');

/** Ends the job before the program was called. */
class Refusal extends Error {}

const secretsOf = {
  platform: ['PLATFORM_TOKEN', 'PLATFORM_SPAT', 'SYNC_STATE_URL', 'PGPASSWORD'],
  review: ['GITHUB_TOKEN', 'GH_TOKEN', 'GITLAB_TOKEN', 'CI_JOB_TOKEN'],
  identity: ['ACTIONS_ID_TOKEN_REQUEST_TOKEN', 'ACTIONS_ID_TOKEN_REQUEST_URL'],
};

/** Each command gets the secrets it needs, and no others; the runner's own are nobody's. */
function withheld(): readonly string[] {
  const isComment = command === 'comment';
  const speaks = isComment || (command === 'drift' && says('SYNC_ISSUE'));
  return [
    'ACTIONS_RUNTIME_TOKEN',
    ...(isComment ? secretsOf.platform : []),
    ...(isComment || !says('SYNC_ID_TOKEN') ? secretsOf.identity : []),
    ...(speaks ? [] : secretsOf.review),
  ];
}

function environment(): Record<string, string | undefined> {
  const hidden = new Set(withheld());
  const all = Object.entries({ ...process.env, ...settings });
  return Object.fromEntries(all.filter(([name]) => !hidden.has(name) && !name.startsWith('INPUT_')));
}

function git(...args: readonly string[]): string | undefined {
  const { status, stdout } = spawnSync('git', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
  return status === 0 ? stdout.trim() : undefined;
}

const isLink = (path: string): boolean => lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true;

/** Nothing outside is written or removed through a link that a proposal brings along; links above the checkout are the machine's own. */
function requireNoLink(path: string, variable: string): string {
  const top = realpathSync(git('rev-parse', '--show-toplevel') ?? '.');
  for (let place = resolve(path); dirname(place) !== place; place = dirname(place))
    if (isLink(place) && !relative(top, realpathSync(dirname(place))).startsWith('..'))
      throw new Refusal(`${place} is a link: remove it from the repository, or name another folder by ${variable}`);
  return resolve(path);
}

function reportsFolder(): string {
  // An apply that is killed leaves what it began with: it writes where that is kept.
  if (artifact !== '' && requireNoLink(artifact, 'SYNC_ARTIFACT') !== '' && command !== 'apply')
    return mkdtempSync(join(tmpdir(), 'sync-'));
  if (artifact !== '' || given('SYNC_OUT') !== '') return artifact === '' ? given('SYNC_OUT') : artifact;
  const own = git('rev-parse', '--absolute-git-dir');
  if (own === undefined) throw new Refusal('this is no git checkout: name a folder for the reports by SYNC_OUT');
  return join(own, 'sync-out');
}

/** What one command does with its folder of reports. */
class Job {
  readonly #out: string;
  /** Where the job before left its reports. */
  readonly #from: string;

  constructor() {
    this.#out = requireNoLink(reportsFolder(), 'SYNC_OUT');
    mkdirSync(this.#out, { recursive: true });
    this.#from = artifact === '' ? this.#out : resolve(artifact);
    if (isOfAllStacks && [this.#out, this.#from].some(holdsLink))
      throw new Refusal(`${this.#from} holds a link: no report is written or read through it`);
  }

  async plan(): Promise<number> {
    this.#forget(...plans, ...results);
    const file = join(this.#out, 'plan.json');
    const guards = given('SYNC_ALLOW').split(/\s+/).filter(Boolean);
    const code = await program(
      ...['plan', ...(isOfAllStacks ? ['--all-stacks'] : ['--out', file]), '--report-dir', this.#out],
      ...option('--base', given('SYNC_BASE')),
      ...(says('SYNC_UNTRUSTED') ? ['--untrusted'] : []),
      ...guards.flatMap((guard) => ['--allow', guard]),
      ...(guards.length > 0 ? option('--reason', given('SYNC_REASON')) : []),
    );
    this.#report('github', 'github-summary');
    if (existsSync(file)) output('plan-file', file);
    if (isOfAllStacks)
      for (const name of ['has-changes', 'needs-approval'])
        output(name, String(foldersIn(this.#out).some((folder) => isTrue(folder, name))));
    this.#handOn();
    return code;
  }

  comment(): Promise<number> {
    this.#forget('comment.md');
    return program(
      ...['comment', this.#from, '--after', given('SYNC_AFTER') || 'plan', '--file', join(this.#out, 'comment.md')],
      ...option('--run', given('SYNC_PLAN_RUN')),
      ...ending(),
    );
  }

  async apply(): Promise<number> {
    this.#forget(...results);
    if (says('SYNC_APPROVAL', 'when-dangerous') && !this.#mayGoUnasked()) {
      console.log('Nothing is applied unasked: the plan needs an approval, or has nothing to do.');
      return 0;
    }
    const file = join(this.#from, 'plan.json');
    const what = isOfAllStacks ? [this.#from, '--all-stacks'] : [file, ...option('--expect-effect', approved(file))];
    const wait = given('SYNC_LOCK_TIMEOUT') || '10m';
    const code = await program('apply', ...what, '--yes', '--lock-timeout', wait, '--report-dir', this.#out);
    this.#report('result', 'result');
    return code;
  }

  /** Something is to be done, and in no plan is anything dangerous, nor does a guard or a policy speak. */
  #mayGoUnasked(): boolean {
    const folders = existsSync(this.#from) ? foldersIn(this.#from) : [];
    const says = (name: string): boolean => folders.some((folder) => isTrue(folder, name));
    return says('has-changes') && !says('needs-approval');
  }

  async drift(): Promise<number> {
    this.#forget('drift.json', 'drift.md', 'drift.html', 'drift.prom');
    const more = [...(isOfAllStacks ? ['--all-stacks'] : []), ...(says('SYNC_ISSUE') ? ['--issue'] : [])];
    const code = await program('drift', '--report-dir', this.#out, ...more);
    this.#report('none', 'drift');
    this.#handOn();
    return code;
  }

  /** Folders that reports lie in: one for each stack, or the one. */
  #folders(): readonly string[] {
    return foldersIn(this.#out);
  }

  /** What an earlier run left must not pass for this run's. */
  #forget(...names: readonly string[]): void {
    for (const folder of this.#folders())
      for (const name of names) rmSync(join(folder, name), { recursive: true, force: true });
  }

  /** Everything a command found out goes to the pipeline, whatever the code: its outputs, its page, the lines of the files. */
  #report(name: string, page: string): void {
    for (const folder of this.#folders()) {
      handOver(join(folder, `${name}-output.txt`), process.env['GITHUB_OUTPUT']);
      handOver(join(folder, `${page}.md`), process.env['GITHUB_STEP_SUMMARY']);
      if (process.env['GITHUB_OUTPUT']) process.stdout.write(textOf(join(folder, `${name}-annotations.txt`)));
    }
  }

  /** What was found out goes where the next job finds it, and nothing else: a proposal may have put files there. */
  #handOn(): void {
    if (artifact === '') return;
    rmSync(artifact, { recursive: true, force: true });
    cpSync(this.#out, artifact, { recursive: true });
  }
}

const plans = [
  ...['plan.json', 'no-plan.json', 'plan.txt', 'plan.md', 'plan.html', 'plan.sarif', 'gitlab-code-quality.json'],
  ...['gitlab-terraform.json', 'github-annotations.txt', 'github-summary.md', 'github-output.txt'],
];
const results = [
  ...['result.json', 'result.md', 'result.html', 'result-annotations.txt', 'result-output.txt'],
  ...['result-events.jsonl', 'comment.md'],
];

function holdsLink(folder: string): boolean {
  if (isLink(folder)) return true;
  const isThere = existsSync(folder) && lstatSync(folder).isDirectory();
  return isThere && readdirSync(folder, { recursive: true, withFileTypes: true }).some((each) => each.isSymbolicLink());
}

const option = (name: string, value: string): readonly string[] => (value === '' ? [] : [name, value]);
const textOf = (file: string): string => (existsSync(file) ? readFileSync(file, 'utf8') : '');
/** What a plan left as an output. */
const isTrue = (folder: string, name: string): boolean =>
  new RegExp(`^${name}<<.*\\ntrue$`, 'm').test(textOf(join(folder, 'github-output.txt')));

function foldersIn(folder: string): readonly string[] {
  if (!isOfAllStacks) return [folder];
  const inside = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  return [folder, ...inside.map(({ name }) => join(folder, name)).sort()];
}

function handOver(file: string, to: string | undefined): void {
  if (to) appendFileSync(to, textOf(file));
}

function output(name: string, value: string): void {
  if (process.env['GITHUB_OUTPUT']) appendFileSync(process.env['GITHUB_OUTPUT'], `${name}=${value}\n`);
}

/** How a job that left nothing ended: as is said, or as the jobs of GitLab are asked for. */
function ending(): readonly string[] {
  const jobs = ['SYNC_PLAN_JOB', 'SYNC_APPLY_JOB'].map(given);
  if (given('SYNC_ENDED') === '' && jobs[0] !== '') return jobs.flatMap((name) => option('--job', name));
  return ['--ended', says('SYNC_ENDED', 'cancelled') ? 'cancelled' : 'failed'];
}

/** An approval of the effect stands as long as the plan does the same, whatever else was merged or applied meanwhile. */
function approved(file: string): string {
  if (!says('SYNC_APPROVED', 'effect')) return '';
  return /"effectDigest":"([0-9a-f]{64})","engine":/.exec(textOf(file))?.[1] ?? '';
}

/** Calls the program that lies beside this file; answers its exit code. */
function program(...args: readonly string[]): Promise<number> {
  const launcher = fileURLToPath(new URL('../bin/sync.js', import.meta.url));
  const all = [launcher, ...args, '-C', given('SYNC_DIR') || '.'];
  // In a group of its own each signal reaches it once, however a pipeline sends them. What it leaves is handed on in any case.
  const detached = process.platform !== 'win32';
  const child = spawn(process.execPath, all, { stdio: 'inherit', env: environment(), detached });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => child.kill(signal));
  return new Promise((ended, failed) => {
    child.once('error', failed);
    child.once('close', (code, signal) => ended(code ?? 128 + constants.signals[signal ?? 'SIGKILL']));
  });
}

async function run(): Promise<number> {
  const commands = new Map<string, (job: Job) => Promise<number>>([
    ['plan', (job) => job.plan()],
    ['comment', (job) => job.comment()],
    ['apply', (job) => job.apply()],
    ['drift', (job) => job.drift()],
  ]);
  const work = commands.get(command);
  if (work !== undefined) return work(new Job());
  console.error('usage: node dist/ci.js plan|comment|apply|drift');
  return 64;
}

try {
  process.exitCode = await run();
  output('exit-code', String(process.exitCode));
} catch (error) {
  if (!(error instanceof Refusal)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}
