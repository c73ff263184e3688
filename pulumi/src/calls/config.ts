import { hasUnknown, secret, type Value, type ValueObject, ownMember } from '@platform-sync/core/model/value';
import { InvalidRequest } from '../failures.js';
import type { Host } from '../host.js';
import { noSetting, ownMembers, settingsIn } from '../session.js';
import type { PathChange } from './compare.js';
import type { Failure } from './broken-rules.js';
import { knownMembers } from '../wire/values.js';

/** The settings that say which platform it is; another one holds other objects. */
const places: Readonly<Record<string, readonly string[]>> = {
  platform: ['serverUrl'],
  cloud: ['serviceManagementCustomEndpoint', 'universeDomain'],
};

/**
 * The settings as given, the secret ones marked. What the environment holds is not filled in: the provider reads it when it
 * starts, so that a token there never comes into a state.
 */
export function checkConfig(
  { session }: Host,
  news: ValueObject,
): {
  readonly inputs: ValueObject;
  readonly failures: readonly Failure[];
} {
  const { loaded } = session;
  const failures: Failure[] = [];
  const inputs = Object.entries(news).map(([name, value]): [string, Value] => {
    const setting = ownMember(loaded.settings, name);
    if (setting === undefined && !ownMembers.has(name))
      failures.push({ property: name, reason: noSetting(loaded, name) });
    return [name, setting?.secret === true ? secret(value, '(secret)') : value];
  });
  return { inputs: Object.fromEntries(inputs), failures };
}

/** Another platform replaces everything; another token changes nothing of what there is. */
export function diffConfig({ session }: Host, olds: ValueObject, news: ValueObject): readonly PathChange[] {
  const [before, after] = [knownMembers(olds), knownMembers(news)];
  const names = [...new Set([...Object.keys(olds), ...Object.keys(news)])].filter((name) => !ownMembers.has(name));
  const isPlace = (name: string): boolean => ownMember(places, session.loaded.name)?.includes(name) === true;
  return names.flatMap((name): readonly PathChange[] => {
    if (news[name] !== undefined && hasUnknown(news[name])) return [];
    if (JSON.stringify(before[name]) === JSON.stringify(after[name])) return [];
    const kind = before[name] === undefined ? 'add' : after[name] === undefined ? 'delete' : 'update';
    return [{ path: name, kind, isReplacement: isPlace(name) }];
  });
}

export async function configure({ session, base }: Host, args: ValueObject): Promise<void> {
  const waiting = Object.entries(args).find(([, value]) => hasUnknown(value));
  if (waiting !== undefined) throw new InvalidRequest(`The setting ${waiting[0]} is not known yet.`);
  const types = Object.entries(base.config?.variables ?? {}).map(([name, { type }]) => [name, type ?? 'string']);
  await session.configure(settingsIn(session.loaded, args, Object.fromEntries(types)));
}
