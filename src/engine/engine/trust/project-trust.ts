import { defined, ownMember } from '@platform-sync/core/model/value';
import { DiagnosticError } from '@platform-sync/core/model/diagnostic';
import type { ProjectConfig } from '@platform-sync/core/model/project';
import type { ReadingRules, Sending, Trust } from '@platform-sync/core/model/trust';
import { reasonFor, type Recorded, refusal } from './may-send.js';
import { isInFolders, matchesName, type Permissions } from './permissions.js';

/** Who chose a setting: where its whole value is one of its own variables (`variables`), the operator did. */
export function chooserOf(
  config: Pick<ProjectConfig, 'variables' | 'settingsFromBase'>,
  setting: string,
  variables: readonly string[],
): 'operator' | 'tree' {
  const variable = ownMember(config.variables ?? {}, setting);
  // The base says it, unless it leaves it to a variable that an author may fill.
  if (variable === undefined) return config.settingsFromBase === true ? 'operator' : 'tree';
  // Any other may hold what an author wrote, whatever it is called.
  return variables.includes(variable) ? 'operator' : 'tree';
}

/** What the senders of one open project ask. `recorded` is looked up only when nothing else allows it. */
export function projectTrust(
  config: Pick<ProjectConfig, 'variables' | 'settingsFromBase'>,
  permissions: Permissions,
  recorded: (sender: string) => Promise<Recorded | undefined>,
): Trust {
  return {
    chooserOf: (setting, variables) => chooserOf(config, setting, variables),
    admit: async (sending) => {
      if (reasonFor(sending, permissions) !== undefined) return;
      const known = await recorded(sending.sender);
      if (reasonFor(sending, permissions, known) === undefined) throw new DiagnosticError([refusal(sending, known)]);
    },
    mayUseKey: (kind) => permissions.keys.includes(kind),
  };
}

/** What the files of a project may read under permissions. */
export function readingRules({ env, data }: Permissions, hide?: ReadingRules['hide']): ReadingRules {
  return {
    ...defined({ hide }),
    variable: (name) => env === undefined || matchesName(env, name),
    data: (file) => data === undefined || isInFolders(data, file),
  };
}

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
  permissions: Permissions,
  env: Readonly<Record<string, string | undefined>>,
): ProjectConfig {
  const sending = webhookSending(config, env);
  if (config.drift === undefined || sending === undefined || reasonFor(sending, permissions) !== undefined)
    return config;
  const { webhook: _, ...drift } = config.drift;
  return { ...config, drift: { ...drift, refused: refusal(sending) } };
}
