import { defined } from '@platform-sync/core/model/value';
import type { Diagnostic } from '@platform-sync/core/model/diagnostic';
import type { DriftNews } from '@platform-sync/core/model/drift';
import { documentSlack } from '@platform-sync/report/ci/slack';
import { driftNewsDocument, sortedNews } from '@platform-sync/report/document/news';
import { genericMessage } from './generic-message.js';
import type { MessagePlace } from './message-place.js';
import { postWebhook, type Webhook } from './post-webhook.js';

export interface DriftWebhook extends Webhook, Partial<MessagePlace> {
  readonly format: 'generic' | 'slack';
}

/** Posts news, once it has any. Gives the warning when they were not taken. */
export async function tellDrift(
  news: DriftNews,
  { format, link, ownersOf = () => [], ...webhook }: DriftWebhook,
): Promise<Diagnostic | undefined> {
  const sorted = sortedNews(news);
  const message =
    format === 'slack'
      ? documentSlack(driftNewsDocument(sorted, ownersOf), link)
      : genericMessage(sorted, { ownersOf, ...defined({ link }) });
  return postWebhook(webhook, 'drift', JSON.stringify(message));
}
