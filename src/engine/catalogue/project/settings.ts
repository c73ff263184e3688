import path from 'node:path';
import type { Expression } from '@platform-sync/core/model/expression';
import type { ProjectConfig } from '@platform-sync/core/model/project';
import { badGlob } from '@platform-sync/core/model/glob';
import type { Place } from '@platform-sync/core/model/place-in-file';
import type { StateBackend } from '@platform-sync/core/model/state-store';
import type { JsonObject } from '@platform-sync/core/model/value';
import type { BuildContext } from '../read/build-context.js';
import { checkSettings, type CheckedSettings } from './checked-settings.js';
import { defined } from '@platform-sync/core/model/defined';
import { plainValue, variableOf } from './plain-value.js';
import { driftSettings } from './drift.js';
import { guardSettings } from './guards.js';
import { labelSettings } from './labels.js';
import { timingSettings } from './timing.js';
import { mapEntries, type Entries } from '../read/shape.js';

const defaultCatalogue = ['catalogue/**/*.{yaml,yml}'];
const defaultConcurrency = 16;

interface Chosen {
  readonly root: string;
  readonly stack: string;
  readonly concurrency?: number | undefined;
  readonly settleSeconds?: number | undefined;
}

/** The settings of one stack, defaults filled in; whatever is wrong is reported and replaced by its default. */
export function readSettings(entries: Entries, chosen: Chosen, context: BuildContext): ProjectConfig {
  const settings = checkSettings(entries, context);
  const { project, concurrency, requestsPerMinute, adopt, ownership, labels, drift } = settings.value;
  const variables = variablesOf(entries);
  const places = patternPlaces(settings, context);
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
    ...defined({
      patternPlaces: places.size > 0 ? places : undefined,
      requestsPerMinute,
      adopt,
      ownership,
      labels: labels === undefined ? undefined : labelSettings(labels ?? {}),
      drift: drift === undefined ? undefined : driftSettings(settings, context),
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
  name: 'catalogue' | 'overlays',
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
    (['catalogue', 'overlays'] as const).flatMap((name) => {
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
  const { backend, path: file } = settings.value.state ?? {};
  if (backend === 'postgres') return { backend, url: postgresUrl(settings, context) };
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
      hint: 'url: !env SYNC_STATE_URL',
    });
  }
  return text;
}
