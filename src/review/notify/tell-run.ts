import { defined } from '@platform-sync/core/model/defined';
import type { Diagnostic } from '@platform-sync/core/model/diagnostic';
import type { RunNews, RunStatus } from '@platform-sync/core/model/run-news';
import type { Json } from '@platform-sync/core/model/value';
import { count } from '@platform-sync/report/words/plural';
import { postWebhook } from './post-webhook.js';
import { escaped, linked, part, section, span } from './slack-text.js';
import type { DriftWebhook } from './tell-drift.js';

const mostListed = 200;

/** Posts news of a run. Gives the warning when they were not taken. */
export async function tellRun(
  news: RunNews,
  { format, link, ownersOf: _files, ...webhook }: DriftWebhook,
): Promise<Diagnostic | undefined> {
  const message = format === 'slack' ? slack(news, link) : generic(news, link);
  return postWebhook(webhook, 'run', JSON.stringify(message));
}

function generic(news: RunNews, link: string | undefined): Json {
  const { project, stack, command, at, status, about, problems, owner, counts } = news;
  return {
    ...{ formatVersion: 1, event: 'run', project, stack, command, at, status, summary: runVerdict(news) },
    ...defined({ owner, counts: counts === undefined ? undefined : { ...counts }, link }),
    about: about.slice(0, mostListed).map(({ name, summary }) => ({ name, summary })),
    problems: problems.slice(0, mostListed).map(({ code, summary }) => ({ code, summary })),
  };
}

const titles: Readonly<Partial<Record<RunStatus, string>>> = {
  blocked: 'Guards',
  unknown: 'Not known',
  failed: 'Failed',
};

function slack(news: RunNews, link: string | undefined): Json {
  const { project, stack, status, about, problems } = news;
  const text = runVerdict(news);
  const title = `*${escaped(text)}*\nProject ${span(project)}, stack ${span(stack)}`;
  const parts = [
    part(
      titles[status] ?? 'Steps',
      about.map(({ name, summary }) => `${span(name)} ${escaped(summary)}`),
    ),
    part(
      'Problems',
      problems.map(({ summary }) => escaped(summary)),
    ),
  ].filter((found) => found !== '');
  return { text, blocks: [title, ...parts, ...linked(link, 'The run with the whole report')].map(section) };
}

/** How it ended, in a sentence: what was done first, so that nobody has to ask. */
function runVerdict({ status, command, counts, owner, at }: RunNews): string {
  const what = command.charAt(0).toUpperCase() + command.slice(1);
  const numbers =
    counts === undefined
      ? ''
      : `: ${count(counts.done, 'step')} done, ${counts.failed} failed, ${counts.skipped} not begun`;
  switch (status) {
    case 'blocked':
      return `${what}: the plan is blocked; nothing was done.`;
    case 'failed':
      return `${what} failed${numbers}.`;
    case 'partly':
      return `${what} was partly done${numbers}.`;
    case 'stale':
      return `${what} refused: the reviewed plan is out of date; nothing was done.`;
    case 'interrupted':
      return `${what} was interrupted${numbers}.`;
    case 'held':
      return `${what} did not begin: another run holds the stack.`;
    case 'unknown':
      return `${what} of ${owner ?? 'somebody'} ended without a word; its last sign of life is of ${at}.`;
    case 'done':
      return `${what} done: what was wrong is over.`;
  }
}
