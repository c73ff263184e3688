import type { ProviderContext } from '@platform-sync/core/model/provider';
import { isList, type Json, ownMember } from '@platform-sync/core/model/value';
import { configurationError } from './errors.js';

export type Configured = Pick<ProviderContext, 'settings' | 'env'>;

/** A value and where it came from, for people: `the setting accessToken`, `the environment variable NAME`. */
export interface Sourced<T = string> {
  readonly value: T;
  readonly source: string;
}

/** A text of the `providers.cloud` block; undefined when it is not there. An empty one is an error: a missing CI secret looks so. */
export function textSetting({ settings }: Configured, name: string): Sourced | undefined {
  const value = given(settings[name]);
  if (value === undefined) return undefined;
  if (typeof value !== 'string') throw wrong(`The setting ${name} must be a text.`, 'Quote the value.');
  if (value.trim() === '') throw wrong(`The setting ${name} is empty.`, 'Fill it, or remove it.');
  return { value: value.trim(), source: `the setting ${name}` };
}

/** The first variable that is not empty. */
export function fromEnvironment({ env }: Configured, names: readonly string[]): Sourced | undefined {
  for (const name of names) {
    const value = env[name]?.trim();
    if (value !== undefined && value !== '') return { value, source: `the environment variable ${name}` };
  }
  return undefined;
}

/** A setting, else a variable. */
export function text(configured: Configured, setting: string, names: readonly string[] = []): Sourced | undefined {
  return textSetting(configured, setting) ?? fromEnvironment(configured, names);
}

export function listSetting({ settings }: Configured, name: string): readonly string[] | undefined {
  const value = given(settings[name]);
  if (value === undefined) return undefined;
  const items = isList(value) ? value : [];
  const texts = items.filter((item): item is string => typeof item === 'string' && item !== '');
  if (texts.length > 0 && texts.length === items.length) return texts;
  throw wrong(`The setting ${name} must be a list of texts.`, `${name}: [first, second]`);
}

/** Texts that mean yes or no in the vendor's tools. */
const yes = new Set(['1', 't', 'T', 'true', 'TRUE', 'True']);
const no = new Set(['0', 'f', 'F', 'false', 'FALSE', 'False']);

/** A setting that is true or false, or the text of that (variables are always text). */
export function flag(configured: Configured, setting: string, names: readonly string[]): boolean {
  const value = given(ownMember(configured.settings, setting));
  if (typeof value === 'boolean') return value;
  const said = text(configured, setting, names);
  if (said === undefined || no.has(said.value)) return false;
  if (yes.has(said.value)) return true;
  throw wrong(`${capital(said.source)} must be true or false.`, `${setting}: true`);
}

const unitMs: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 };

/** Milliseconds of a time span such as `90s` or `1m30s`; a bare number counts seconds. */
export function duration(configured: Configured, setting: string): number | undefined {
  const value = given(ownMember(configured.settings, setting));
  if (value === undefined) return undefined;
  const ms = typeof value === 'number' ? value * 1000 : typeof value === 'string' ? spanMs(value.trim()) : undefined;
  if (ms !== undefined && Number.isFinite(ms) && ms > 0) return ms;
  throw wrong(`The setting ${setting} must be a time span.`, `${setting}: 90s`);
}

function spanMs(span: string): number | undefined {
  if (!/^(?:\d+(?:\.\d+)?(?:ms|s|m|h))+$/.test(span)) return undefined;
  let ms = 0;
  for (const [, count = '', unit = ''] of span.matchAll(/(\d+(?:\.\d+)?)(ms|s|m|h)/g)) {
    ms += Number(count) * (ownMember(unitMs, unit) ?? 0);
  }
  return ms;
}

/** The start of a sentence. */
export function capital(phrase: string): string {
  return phrase.slice(0, 1).toUpperCase() + phrase.slice(1);
}

function given(value: Json | undefined): Exclude<Json, null> | undefined {
  return value ?? undefined;
}

function wrong(summary: string, hint: string): Error {
  return configurationError('invalid-cloud-setting', summary, hint);
}
