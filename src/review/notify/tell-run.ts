import { defined, type Json } from '@platform-sync/core/model/value';
import type { Diagnostic } from '@platform-sync/core/model/diagnostic';
import type { RunNews } from '@platform-sync/core/model/run-news';
import { documentSlack } from '@platform-sync/report/ci/slack';
import { runNewsDocument } from '@platform-sync/report/document/news';
import { postWebhook } from './post-webhook.js';
import type { DriftWebhook } from './tell-drift.js';

const mostListed = 200;

/** Posts news of a run. Gives the warning when they were not taken. */
export async function tellRun(
  news: RunNews,
  { format, link, ownersOf: _files, ...webhook }: DriftWebhook,
): Promise<Diagnostic | undefined> {
  const message = format === 'slack' ? documentSlack(runNewsDocument(news), link) : generic(news, link);
  return postWebhook(webhook, 'run', JSON.stringify(message));
}

function generic(news: RunNews, link: string | undefined): Json {
  const { project, stack, command, at, status, about, problems, owner, counts } = news;
  return {
    ...{ formatVersion: 1, event: 'run', project, stack, command, at, status, summary: runNewsDocument(news).ending },
    ...defined({ owner, counts: counts === undefined ? undefined : { ...counts }, link }),
    about: about.slice(0, mostListed).map(({ name, summary }) => ({ name, summary })),
    problems: problems.slice(0, mostListed).map(({ code, summary }) => ({ code, summary })),
  };
}
