import type { Diagnostic } from '../engine/model/diagnostic.js';
import type { DriftResult } from '../engine/model/drift.js';
import { driftNews } from './drift-news.js';
import { genericMessage } from './generic-message.js';
import { postWebhook } from './post-webhook.js';
import type { Webhook } from './post-webhook.js';
import { slackMessage } from './slack-message.js';

export interface DriftWebhook extends Webhook {
  readonly format: 'generic' | 'slack';
  /** Address of the run that made the check. */
  readonly link?: string;
}

/** Posts what is new, worse, resolved or could not be checked; nothing otherwise. Gives the warning when that fails. */
export async function tellDrift(
  result: DriftResult,
  { format, link, ...webhook }: DriftWebhook,
): Promise<Diagnostic | undefined> {
  const news = driftNews(result);
  if (news === undefined) return undefined;
  const message = format === 'slack' ? slackMessage(result, news, link) : genericMessage(result, news, link);
  return postWebhook(webhook, JSON.stringify(message));
}
