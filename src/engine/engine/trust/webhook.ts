import type { ProjectConfig } from '@platform-sync/core/model/project';
import type { Sending } from '@platform-sync/core/model/trust';
import { reasonFor, refusal } from './may-send.js';
import type { Policy } from './policy.js';
import { chooserOf } from './project-trust.js';
import { ownMember } from '@platform-sync/core/model/value';

const variable = 'SYNC_DRIFT_WEBHOOK';

/** The address that a check would post to as something that is sent; the address itself, a secret, is left out. */
export function webhookSending(
  config: ProjectConfig,
  env: Readonly<Record<string, string | undefined>>,
): Sending | undefined {
  const url = config.drift?.webhook;
  if (url === undefined) return undefined;
  const named = ownMember(env, variable);
  const agrees = named !== undefined && URL.canParse(named) && new URL(named).href === new URL(url).href;
  return {
    sender: 'webhook',
    what: 'what a check finds',
    to: new URL(url).origin,
    setting: 'drift.webhook',
    chosenBy: agrees ? 'operator' : chooserOf(config, 'drift.webhook', [variable]),
    isOwn: false,
  };
}

/** The settings without a webhook that only files under review name; a check says so instead of posting. */
export function withTrustedWebhook(
  config: ProjectConfig,
  policy: Policy,
  env: Readonly<Record<string, string | undefined>>,
): ProjectConfig {
  const sending = webhookSending(config, env);
  if (config.drift === undefined || sending === undefined || reasonFor(sending, policy) !== undefined) return config;
  const { webhook: _, ...drift } = config.drift;
  return { ...config, drift: { ...drift, refused: refusal(sending) } };
}
