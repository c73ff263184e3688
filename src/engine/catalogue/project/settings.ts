import { tagged } from '../problem/advice.js';
import path from 'node:path';
import type { Expression } from '@platform-sync/core/model/expression';
import {
  type GuardAllowance,
  type GuardSettings,
  isGuardName,
  knownGuards,
  type LabelSettings,
  type ProjectConfig,
  type TimingSettings,
} from '@platform-sync/core/model/project';
import { badGlob } from '@platform-sync/core/model/glob';
import type { Place, SourceRange } from '@platform-sync/core/model/diagnostic';
import type { StateBackend } from '@platform-sync/core/model/state-store';
import { defined, type JsonObject } from '@platform-sync/core/model/value';
import type { BuildContext } from '../read/build-context.js';
import { type CheckedSettings, checkSettings } from './checked-settings.js';
import { plainValue, variableOf } from './plain-value.js';
import { type Entries, mapEntries } from '../read/shape.js';
import type { DriftRule, DriftSettings, DriftSeverity } from '@platform-sync/core/model/drift';
import { isWebhookUrl } from '@platform-sync/core/model/loopback';
import { isDate } from '@platform-sync/core/model/world';
import type { Settings } from '../generated/settings.js';

const defaultCatalogue = ['catalogue/**/*.{yaml,yml}'];
const defaultConcurrency = 16;

interface Chosen {
  readonly root: string;
  readonly stack: string;
  readonly concurrency?: number | undefined;
  readonly settleSeconds?: number | undefined;
}

/** With the rules for specifications as they are named: they are read where they count. */
type ReadConfig = ProjectConfig & { readonly ruleSet?: { readonly file: string; readonly at: SourceRange } };

/** The settings of one stack, defaults filled in; whatever is wrong is reported and replaced by its default. */
export function readSettings(entries: Entries, chosen: Chosen, context: BuildContext): ReadConfig {
  const settings = checkSettings(entries, context);
  const {
    project,
    concurrency,
    requestsPerMinute,
    adopt,
    ownership,
    labels,
    drift,
    history,
    specificationRules: rules,
  } = settings.value;
  const variables = variablesOf(entries);
  const places = patternPlaces(settings, context);
  const policies = patterns('policies', settings, context);
  return {
    root: chosen.root,
    project: project ?? '',
    stack: chosen.stack,
    catalogue: patterns('catalogue', settings, context) ?? defaultCatalogue,
    ...defined({ overlays: patterns('overlays', settings, context) }),
    providers: providers(entries.get('providers')?.value, context),
    state: stateBackend(settings, chosen.root, context),
    concurrency: chosen.concurrency ?? concurrency ?? defaultConcurrency,
    timing: timingSettings(settings, chosen, context),
    guards: guardSettings(settings, context),
    ...(policies === undefined || policies.length === 0 ? {} : { policies: { patterns: policies } }),
    ...defined({
      patternPlaces: places.size > 0 ? places : undefined,
      requestsPerMinute,
      keepRunsDays: history?.keepDays,
      adopt,
      ownership,
      labels: labels === undefined ? undefined : labelSettings(labels ?? {}),
      drift: drift === undefined ? undefined : driftSettings(settings, context),
      ruleSet: rules === undefined ? undefined : { file: rules, at: settings.at('specificationRules') },
      variables: variables.size > 0 ? Object.fromEntries(variables) : undefined,
    }),
  };
}

/** Dotted path of a setting → the variable that its whole value is. */
function variablesOf(entries: Entries): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  const visit = (value: Expression, at: string): void => {
    const variable = variableOf(value);
    if (variable !== undefined) found.set(at, variable);
    if (value.kind !== 'map') return;
    for (const [name, entry] of value.entries) visit(entry.value, `${at}.${name}`);
  };
  for (const name of ['providers', 'state', 'drift']) {
    const entry = entries.get(name);
    if (entry !== undefined) visit(entry.value, name);
  }
  return found;
}

function patterns(
  name: 'catalogue' | 'overlays' | 'policies',
  { value, at }: CheckedSettings,
  context: BuildContext,
): readonly string[] | undefined {
  const given = value[name];
  if (given === undefined) return undefined;
  const items = typeof given === 'string' ? [given] : (given ?? []);
  return items.flatMap((pattern, index) => {
    if (!pattern) return [];
    const bad = badGlob(pattern.replace(/^!/, ''));
    if (bad !== undefined) {
      const summary = `The pattern ${pattern} of "${name}" can't be read: ${bad.message}.`;
      context.problems.add('bad-setting', at(name, index), summary, { hint: bad.hint });
      return [];
    }
    if (!path.isAbsolute(pattern) && !pattern.split('/').includes('..')) return [pattern];
    context.problems.add('bad-setting', at(name, index), `Patterns of "${name}" stay inside the project folder.`);
    return [];
  });
}

function patternPlaces({ value, at }: CheckedSettings, { sources }: BuildContext): ReadonlyMap<string, Place> {
  return new Map(
    (['catalogue', 'overlays', 'policies'] as const).flatMap((name) => {
      const given = value[name] ?? [];
      return typeof given === 'string'
        ? [[given, sources.place(at(name))] as const]
        : given.map((pattern, index) => [pattern ?? '', sources.place(at(name, index))] as const);
    }),
  );
}

function providers(value: Expression | undefined, context: BuildContext): Readonly<Record<string, JsonObject>> {
  if (value === undefined) return {};
  const blocks = [...mapEntries(value, '"providers"', context)].map(([name, entry]): [string, JsonObject] => {
    const settings = [...mapEntries(entry.value, `"providers.${name}"`, context)];
    return [
      name,
      Object.fromEntries(settings.map(([key, setting]) => [key, plainValue(setting.value, context).value])),
    ];
  });
  return Object.fromEntries(blocks);
}

function stateBackend(settings: CheckedSettings, root: string, context: BuildContext): StateBackend {
  const { backend, path: file, requestsPerMinute } = settings.value.state ?? {};
  if (backend === 'postgres')
    return { backend, url: postgresUrl(settings, context), ...defined({ requestsPerMinute }) };
  return { backend: 'sqlite', path: path.resolve(root, file ?? '.sync/state.db') };
}

function postgresUrl({ value, at, written }: CheckedSettings, { problems, broken }: BuildContext): string {
  const given = written('state', 'url');
  const text = value.state?.url ?? '';
  const isSecret = given?.kind === 'secret';
  if (given === undefined || broken.has(given) || (isSecret && text === '')) return '';
  if (!URL.canParse(text) || !/^postgres(?:ql)?:/.test(text)) {
    problems.add('bad-setting', given.at, '"state.url" must be a URL that starts with postgres://.');
    return '';
  }
  const url = new URL(text);
  if (!isSecret && (url.password !== '' || url.searchParams.has('password'))) {
    problems.add('literal-secret', at('state', 'url'), '"state.url" holds a password in plain text.', {
      severity: 'warning',
      detail: 'Files end up in version control.',
      hint: tagged('url: !env SYNC_STATE_URL', '!env', 'SYNC_STATE_URL'),
    });
  }
  return text;
}

/** `drift:` of sync.yaml. */
function driftSettings(settings: CheckedSettings, context: BuildContext): DriftSettings {
  const drift = settings.value.drift ?? {};
  const isUnread = (name: string): boolean => {
    const written = settings.written('drift', name);
    return written !== undefined && context.broken.has(written);
  };
  return {
    severity: severities(drift.severity ?? {}),
    ignore: rules(settings, context),
    ...defined({ flapping: flapping(drift.flapping) }),
    ...defined({ unmanaged: unmanaged(drift.unmanaged), webhook: webhookUrl(settings, context) }),
    format: drift.format ?? 'generic',
    ...defined({ secret: signingKey(settings, context) }),
    unset: ['webhook', 'secret'].filter(isUnread).map((name) => `drift.${name}`),
  };
}

function severities(
  given: Readonly<Record<string, DriftSeverity | undefined>>,
): Readonly<Record<string, DriftSeverity>> {
  return Object.fromEntries(Object.entries(given).flatMap(([name, one]) => (one === undefined ? [] : [[name, one]])));
}

function webhookUrl({ value, at }: CheckedSettings, context: BuildContext): string | undefined {
  const given = value.drift?.webhook ?? '';
  if (given === '' || isWebhookUrl(given)) return given === '' ? undefined : given;
  // No message quotes it: whoever has the address of a webhook can post there.
  const summary = '"drift.webhook" must be a URL that starts with https://.';
  context.problems.add('bad-setting', at('drift', 'webhook'), summary, { hint: 'webhook: !env SYNC_DRIFT_WEBHOOK' });
  return undefined;
}

function signingKey({ value, at, written }: CheckedSettings, context: BuildContext): string | undefined {
  const given = value.drift?.secret;
  const text = written('drift', 'secret');
  if (given === undefined || text === undefined || context.broken.has(text)) return undefined;
  if (text.kind === 'secret') return given === '' ? undefined : given;
  context.problems.add('literal-secret', at('drift', 'secret'), '"drift.secret" stands in plain text.', {
    detail: 'Files end up in version control.',
    hint: tagged('secret: !env SYNC_DRIFT_SECRET', '!env', 'SYNC_DRIFT_SECRET'),
  });
  return undefined;
}

function unmanaged(given: NonNullable<Settings['drift']>['unmanaged']): DriftSettings['unmanaged'] {
  if (typeof given === 'string') return given === 'none' ? undefined : given;
  const names = (given ?? []).flatMap((name) => name ?? []);
  return names.length === 0 ? undefined : names;
}

function flapping(given: NonNullable<Settings['drift']>['flapping']): DriftSettings['flapping'] {
  return given === undefined || given === null ? undefined : { times: given.times ?? 3, hours: given.hours ?? 24 };
}

function rules({ value, at }: CheckedSettings, context: BuildContext): readonly DriftRule[] {
  return (value.drift?.ignore ?? []).flatMap((item, index) => {
    if (!item) return [];
    const { address, reason, field } = item;
    const until = realDate(item.until, at('drift', 'ignore', index, 'until'), context);
    const { file, line, column } = context.sources.place(at('drift', 'ignore', index));
    return [{ address, reason, source: `${file}:${line}:${column}`, ...defined({ field, until }) }];
  });
}

/** The `guards` block: limits, and guards that are lifted by name. */
function guardSettings(settings: CheckedSettings, context: BuildContext): GuardSettings {
  const { maxDeletes, maxDeletePercent, maxUpdatePercent, allow } = settings.value.guards ?? {};
  return {
    maxDeletes: maxDeletes ?? 10,
    maxDeletePercent: maxDeletePercent ?? 20,
    ...defined({ maxUpdatePercent }),
    allow: (allow ?? []).flatMap((item, index): readonly GuardAllowance[] => {
      if (!item) return [];
      const { guard, reason } = item;
      const until = realDate(item.until, settings.at('guards', 'allow', index, 'until'), context);
      if (isGuardName(guard)) return [{ guard, reason, ...defined({ until }) }];
      const at = settings.at('guards', 'allow', index, 'guard');
      context.problems.add('bad-setting', at, `There is no guard "${guard}".`, { hint: `Guards are ${knownGuards}.` });
      return [];
    }),
  };
}

/** `labels: exact`, or the block with its two settings. */
function labelSettings(labels: NonNullable<Settings['labels']>): LabelSettings {
  if (typeof labels === 'string') return { own: ownership(labels) };
  const { own, foreign } = labels;
  return {
    own: ownership(own),
    ...(foreign !== undefined && { foreign: (foreign ?? []).flatMap((prefix) => prefix ?? []) }),
  };
}

function ownership(word: 'keys' | 'exact' | undefined): LabelSettings['own'] {
  return word === 'exact' ? 'all' : 'keys';
}

/** `timing:` of sync.yaml. */
function timingSettings(
  { value, written }: CheckedSettings,
  chosen: { readonly settleSeconds?: number | undefined },
  context: BuildContext,
): TimingSettings {
  const { leaseSeconds, beatSeconds, requestSeconds, retries, settleSeconds } = value.timing ?? {};
  const [lease, beat] = [leaseSeconds ?? 30, beatSeconds ?? 5];
  // A lease must outlive the loss of a beat or two: it is no good for sending from two thirds of its life on.
  if (beat * 3 > lease) {
    const at = (written('timing', 'beatSeconds') ?? written('timing', 'leaseSeconds'))?.at;
    context.problems.add('bad-setting', at, '"timing.beatSeconds" must be at most a third of "timing.leaseSeconds".', {
      detail: `The lease lives ${String(lease)} seconds, with a sign of life every ${String(beat)}.`,
    });
  }
  return {
    leaseMs: lease * 1000,
    beatMs: beat * 1000,
    requestMs: (requestSeconds ?? 60) * 1000,
    retries: retries ?? 4,
    settleMs: (chosen.settleSeconds ?? settleSeconds ?? 120) * 1000,
  };
}

/** The `until` of an item, a day that exists. */
function realDate(text: string | undefined, at: SourceRange, { problems }: BuildContext): string | undefined {
  if (text !== undefined && !isDate(text))
    problems.add('bad-setting', at, `"${text}" is not a date.`, { hint: 'until: 2030-01-31' });
  return text;
}
