import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fakeGithub, fakeGitlab, type FakePlatform } from '../review/fake-platforms.js';
import { fakeGithubIssues, fakeGitlabIssues, type FakeTracker } from '../review/fake-issues.js';
import { startReceiver, type Receiver } from '../notify/receiver.js';
import { shell } from './recipe.js';

export const forges = ['github', 'gitlab'] as const;
export type Forge = (typeof forges)[number];

export const commit = (letter: string): string => letter.repeat(40);

export interface Job {
  /** The newest commit of the open request; absent: after the merge. */
  readonly of?: string;
  /** Folder of the project in the repository. */
  readonly in?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly run?: 'another' | 'same';
  /** Folder of reports; jobs of one run share theirs. */
  readonly out?: string;
}

/** When a report holds a text. */
export interface Moment {
  readonly report: string;
  readonly text: string;
}

type Command = 'plan' | 'comment' | 'apply' | 'drift';

/** A repository with its forge, its platform and its people: jobs run as recipes run them, and what a person sees is written down. */
// What stands on the screen when a job has ended.
const linesAtEnd = 7;

export interface Walk {
  readonly name: Forge;
  readonly forge: FakePlatform;
  readonly tracker: FakeTracker;
  readonly receiver: Receiver;
  readonly folder: string;
  /** Files of the repository. */
  write(files: Readonly<Record<string, string>>): void;
  remove(path: string): void;
  read(path: string): string;
  job(command: Command, job?: Job): Promise<number>;
  /** The same as a process of its own, that is killed when its folder of reports holds what is named. */
  killed(command: Command, at: Moment, job?: Job): Promise<number>;
  /** A command as somebody types it in the repository. */
  type(line: string): Promise<number>;
  /** What the platform does wrong from now on. */
  faults(...rules: readonly object[]): Promise<void>;
  /** Somebody's click: an object of a collection is changed behind the program's back. */
  click(collection: string, name: string, change: object): Promise<void>;
  /** Writes down what stands in the requests, or in the issue. */
  look(...what: readonly ('comment' | 'issue' | 'posts' | 'log' | 'end')[]): void;
  note(text: string): void;
  readonly seen: readonly string[];
  close(): Promise<void>;
}

export async function startWalk(
  name: Forge,
  { url, path, program }: { readonly url: string; readonly path: string; readonly program: string },
): Promise<Walk> {
  const [forge, tracker, receiver] = await Promise.all(
    name === 'github'
      ? [fakeGithub(), fakeGithubIssues(), startReceiver()]
      : [fakeGitlab(), fakeGitlabIssues(), startReceiver()],
  );
  await fetch(`${url}/_sandbox/reset`, { method: 'POST' });
  const folder = mkdtempSync(join(tmpdir(), 'sync-walk-'));
  const at = (...names: readonly string[]): string => join(folder, ...names);
  const write = (files: Readonly<Record<string, string>>): void => {
    for (const [file, text] of Object.entries(files)) {
      mkdirSync(dirname(at('repository', file)), { recursive: true });
      writeFileSync(at('repository', file), text);
    }
  };
  write({ '.git/HEAD': 'ref: refs/heads/topic\n' });
  const seen: string[] = [];
  let runs = 0;
  let log = '';
  const env = {
    PATH: `${path}:${process.env['PATH'] ?? ''}`,
    HOME: folder,
    PLATFORM_SERVER_URL: url,
    PLATFORM_TOKEN: 'canary-platform-token',
    HOOK: receiver.url,
  };
  const steady = (text: string): string =>
    text
      .replaceAll(folder, 'WALK')
      .replaceAll(receiver.url, 'HOOK')
      .replace(/https:\/\/(?:github|gitlab)\.example\.com\/acme\/shop\/(?:actions\/runs|-\/pipelines)\//g, 'HOST/RUN/')
      .replace(/https:\/\/(?:github\.example\.com\/acme\/shop|gitlab\.example\.com\/acme\/shop\/-)\//g, 'HOST/')
      .replace(/127\.0\.0\.1:\d+/g, '127.0.0.1:PORT')
      .replace(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, 'UUID')
      .replace(/\b[0-9a-f]{64}\b/g, 'DIGEST')
      .replace(/(Plan|Effect) (`?)[0-9a-f]{12}`?/g, '$1 $2DIGEST$2')
      .replace(/Trace id: \S+/g, 'Trace id: ID')
      .replace(/\b\d{4}-\d{2}-\d{2}(?:T| )\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z| UTC)/g, 'TIME')
      .replace(/\b20\d{2}-\d{2}-\d{2}\b/g, 'DATE')
      .replace(/(\d+) ms\b/g, 'N ms')
      // One forge alone takes annotations and a summary, and names the page of a comment.
      .replace(/^(?:::.*|The job summary shows it, too\.)\n/gm, '')
      .replace(/: https:\/\/review\.example\.com\/acme\/shop\/pull\/5#c1\./g, '.')
      .replace(/<!--[^]*?-->\n?/g, '');
  const write_ = (text: string): void => void seen.push(steady(text).trimEnd());
  const around = (command: Command, { of, run }: Job): Record<string, string> => {
    // A run begins with its plan or its check; the jobs after it are of the same one.
    if (run === 'another' || (run === undefined && (command === 'plan' || command === 'drift'))) runs += 1;
    const sha = commit(of ?? 'e');
    if (of !== undefined) forge.head = sha;
    if (name === 'gitlab')
      return {
        ...{ GITLAB_CI: 'true', CI_PROJECT_ID: '12', CI_COMMIT_SHA: sha, GITLAB_TOKEN: forge.request.token ?? '' },
        ...{ CI_PROJECT_URL: 'https://gitlab.example.com/acme/shop', CI_PIPELINE_ID: String(runs) },
        CI_PIPELINE_URL: `https://gitlab.example.com/acme/shop/-/pipelines/${runs}`,
        ...{ CI_PIPELINE_IID: String(runs), CI_PROJECT_DIR: at('repository') },
        ...(of === undefined ? {} : { CI_MERGE_REQUEST_IID: '5' }),
      };
    const event = { pull_request: { number: 5, head: { sha, repo: { full_name: 'acme/shop' } } } };
    writeFileSync(at('event.json'), JSON.stringify(of === undefined ? {} : event));
    return {
      ...{ GITHUB_ACTIONS: 'true', GITHUB_REPOSITORY: 'acme/shop', GITHUB_SERVER_URL: 'https://github.example.com' },
      ...{ GITHUB_SHA: sha, GITHUB_RUN_NUMBER: String(runs), GITHUB_RUN_ID: String(runs) },
      ...{ GITHUB_TOKEN: forge.request.token ?? '', GITHUB_EVENT_PATH: at('event.json') },
      ...{ GITHUB_WORKSPACE: at('repository'), GITHUB_OUTPUT: at('outputs'), GITHUB_STEP_SUMMARY: at('summary.md') },
      ...(of === undefined ? { GITHUB_REF: 'refs/heads/main' } : {}),
    };
  };
  const apiOf = (command: Command): Record<string, string> => {
    const url = command === 'drift' ? tracker.project.apiUrl : forge.request.apiUrl;
    return { GITHUB_API_URL: url, CI_API_V4_URL: url };
  };
  const home = at('home');
  /** Ends its process once a report is there, with a text in it; without a name, before it does anything. */
  const killer = ({ report, text }: Moment): string =>
    `import { readFileSync } from 'node:fs';
const isThere = () => readFileSync(${JSON.stringify(at('out', report))}, 'utf8').includes(${JSON.stringify(text)});
const look = () => { try { if (${report === ''} || isThere()) process.kill(process.pid, 'SIGKILL'); } catch {} };
look();
setInterval(look, 1);
await import(${JSON.stringify(program)});
`;
  const inProcess = `require(${JSON.stringify(join(path, 'sync'))});\n`;
  // The program of a release, as the jobs call it.
  const install = (launcher: string, type: string): void => {
    for (const folder of ['dist', 'bin']) mkdirSync(join(home, folder), { recursive: true });
    writeFileSync(join(home, 'package.json'), '{"type":"module"}');
    writeFileSync(join(home, 'bin/package.json'), JSON.stringify({ type }));
    writeFileSync(join(home, 'bin/sync.js'), launcher);
    copyFileSync(join(dirname(dirname(program)), 'dist/ci.js'), join(home, 'dist/ci.js'));
  };
  install(inProcess, 'commonjs');
  const walk: Walk = {
    ...{ name, forge, tracker, receiver, folder, write, seen },
    remove: (path) => rmSync(at('repository', path), { recursive: true, force: true }),
    read: (path) => readFileSync(at('repository', path), 'utf8'),
    job: async (command, job = {}) => {
      const { of, in: dir = 'project', out = 'out', env: more = {} } = job;
      const given = { SYNC_DIR: dir, SYNC_OUT: at(out), SYNC_ISSUE: String(command === 'drift') };
      const ran = await shell(`node ${join(home, 'dist/ci.js')} ${command}`, {
        cwd: at('repository'),
        env: { ...env, ...around(command, job), ...apiOf(command), ...given, ...more },
      });
      log = ran.out;
      write_(`$ ${command}${of === undefined ? '' : ` of ${of}`}${dir === 'project' ? '' : ` in ${dir}`}: ${ran.code}`);
      return ran.code;
    },
    killed: async (command, moment, job = {}) => {
      install(killer(moment), 'module');
      const code = await walk.job(command, job);
      install(inProcess, 'commonjs');
      return code;
    },
    note: write_,
    type: async (line) => {
      const ran = await shell(line, { cwd: at('repository'), env });
      log = ran.out;
      write_(`$ ${line}: ${ran.code}`);
      return ran.code;
    },
    faults: async (...rules) => {
      const headers = { 'content-type': 'application/json' };
      await fetch(`${url}/_sandbox/faults`, { method: 'PUT', headers, body: JSON.stringify(rules) });
    },
    click: async (collection, key, change) => {
      const dump = (await (await fetch(`${url}/_sandbox/objects`)).json()) as Record<
        string,
        { id: string; name?: string }[]
      >;
      const found = dump[collection]?.find((one) => one.name === key);
      if (found === undefined) throw new Error(`no ${key} in ${Object.keys(dump).join()}`);
      const headers = { 'content-type': 'application/json' };
      await fetch(`${url}/_sandbox/objects/${collection}/${found.id}`, {
        method: 'POST',
        headers,
        body: JSON.stringify(change),
      });
    },
    look: (...what) => {
      for (const one of what) {
        if (one === 'log') write_(log);
        if (one === 'end') write_(steady(log).trimEnd().split('\n').slice(-linesAtEnd).join('\n'));
        if (one === 'comment')
          for (const { request, body } of forge.comments) write_(`--- request ${request}\n${folded(body)}`);
        if (one === 'issue')
          for (const { title, state, body, comments } of tracker.issues)
            write_(
              `--- ${state} issue: ${title}\n${folded(body ?? '')}${comments.map((text) => `\n> ${text}`).join('')}`,
            );
        if (one === 'posts') {
          for (const { text } of receiver.posts) write_(`--- post\n${text}`);
          receiver.reset();
        }
      }
    },
    close: async () => {
      await Promise.all([forge.api.close(), tracker.api.close(), receiver.close()]);
      rmSync(folder, { recursive: true, force: true });
    },
  };
  return walk;
}

/** As a reader meets it: what is folded is its summary alone. */
export function folded(markdown: string): string {
  let hidden = 0;
  return markdown
    .split('\n')
    .filter((line) => {
      const isSeen = hidden === 0;
      // What is open stands among the folded as they are nested: it ends first.
      if (/<details(?! open)/.test(line) || (hidden > 0 && line.includes('<details'))) hidden += 1;
      if (!line.includes('</details>')) return isSeen;
      hidden = Math.max(0, hidden - 1);
      return false;
    })
    .join('\n')
    .replace(/\n{2,}/g, '\n');
}
