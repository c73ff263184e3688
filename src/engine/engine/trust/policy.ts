import { patternOf } from '@platform-sync/core/model/pattern';

/** What the operator of a run allows the files under review. Lists that are left out allow nothing more, unless said. */
export interface Policy {
  /** Where it came from, for people; absent: there is none. */
  readonly source?: string;
  /** Provider → hosts that its credentials may go to. */
  readonly hosts: Readonly<Record<string, readonly string[]>>;
  /** Hosts of state databases, and absolute folders outside the project for state files. */
  readonly state: readonly string[];
  /** Hosts that a drift check may post to. */
  readonly webhooks: readonly string[];
  /** Names, or patterns with `*`, that `!env` may read; absent: all. */
  readonly env?: readonly string[];
  /** Names, or patterns with `*`, of variables whose values may stand in a lookup's arguments. */
  readonly lookups: readonly string[];
  /** Folders of the project that `!file` may read; absent: all. */
  readonly data?: readonly string[];
  /** Kinds of cloud credentials that reviewed files may name. */
  readonly keys: readonly string[];
  /** May secrets go to this machine's own ports when only reviewed files say so? */
  readonly loopback: boolean;
}

export const noPolicy: Policy = {
  hosts: {},
  state: [],
  webhooks: [],
  lookups: [],
  // What these name besides goes to the cloud's own hosts only.
  keys: ['service_account', 'authorized_user', 'impersonated_service_account'],
  loopback: true,
};

/** The hosts a policy lists for a sender. */
export function listedHosts(policy: Policy, sender: string): readonly string[] {
  if (sender === 'state') return policy.state;
  if (sender === 'webhook') return policy.webhooks;
  return Object.hasOwn(policy.hosts, sender) ? (policy.hosts[sender] ?? []) : [];
}

/** `PORTAL_*` and the like; case counts. */
export function matchesName(patterns: readonly string[], name: string): boolean {
  return patterns.some((pattern) => patternOf(pattern).test(name));
}

/** True when a path (forward slashes) lies in one of the folders; `.` is all of them. */
export function isInFolders(folders: readonly string[], file: string): boolean {
  return folders.some((folder) => {
    const name = folder.replace(/^\.\//, '').replace(/\/+$/, '');
    return name === '.' || name === '' || file.startsWith(`${name}/`);
  });
}
