import { defined, ownMember } from '@platform-sync/core/model/value';
import { DiagnosticError } from '@platform-sync/core/model/diagnostic';
import type { ProjectConfig } from '@platform-sync/core/model/project';
import type { ReadingRules, Trust } from '@platform-sync/core/model/trust';
import { reasonFor, refusal, type Recorded } from './may-send.js';
import { isInFolders, matchesName, type Policy } from './policy.js';

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
  policy: Policy,
  recorded: (sender: string) => Promise<Recorded | undefined>,
): Trust {
  return {
    chooserOf: (setting, variables) => chooserOf(config, setting, variables),
    admit: async (sending) => {
      if (reasonFor(sending, policy) !== undefined) return;
      const known = await recorded(sending.sender);
      if (reasonFor(sending, policy, known) === undefined) throw new DiagnosticError([refusal(sending, known)]);
    },
    mayUseKey: (kind) => policy.keys.includes(kind),
  };
}

/** What the files of a project may read under a policy. */
export function readingRules({ env, data }: Policy, hide?: ReadingRules['hide']): ReadingRules {
  return {
    ...defined({ hide }),
    variable: (name) => env === undefined || matchesName(env, name),
    data: (file) => data === undefined || isInFolders(data, file),
  };
}
