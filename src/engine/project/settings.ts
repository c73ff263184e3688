import path from 'node:path';
import type { Expression } from '../model/expression.js';
import type { ProjectConfig } from '../model/project.js';
import type { SourceRange } from '../model/source.js';
import type { StateBackend } from '../model/state-store.js';
import type { JsonObject } from '../model/value.js';
import type { BuildContext } from '../catalogue/read/build-context.js';
import { plainValue, variableOf } from './plain-value.js';
import { driftSettings } from './drift.js';
import { guardSettings } from './guards.js';
import { labelSettings } from './labels.js';
import { stackKeys } from './stack-overlay.js';
import { timingSettings } from './timing.js';
import {
  listItems,
  mapEntries,
  plainText,
  refuseUnknownKeys,
  wholeNumber,
  type Entries,
} from '../catalogue/read/shape.js';

export const projectKeys = ['project', ...stackKeys, 'parameters', 'stacks'];

const defaultCatalogue = ['catalogue/**/*.{yaml,yml}'];
const defaultConcurrency = 16;
const maxConcurrency = 256;

interface Chosen {
  readonly root: string;
  readonly stack: string;
  readonly concurrency?: number | undefined;
}

/** The settings of one stack, defaults filled in; whatever is wrong is reported and replaced by its default. */
export function readSettings(entries: Entries, chosen: Chosen, context: BuildContext): ProjectConfig {
  const whole = (name: string, most: number): number | undefined =>
    wholeNumber(entries.get(name)?.value, name, 1, most, context);
  const requestsPerMinute = whole('requestsPerMinute', Number.MAX_SAFE_INTEGER);
  const concurrency = whole('concurrency', maxConcurrency);
  const drift = entries.get('drift')?.value;
  const variables = variablesOf(entries);
  const labels = entries.get('labels')?.value;
  const [catalogue, overlays] = [entries.get('catalogue')?.value, entries.get('overlays')?.value];
  return {
    root: chosen.root,
    project: projectName(entries, context),
    stack: chosen.stack,
    catalogue: catalogue === undefined ? defaultCatalogue : patterns('catalogue', catalogue, context),
    ...(overlays !== undefined && { overlays: patterns('overlays', overlays, context) }),
    providers: providers(entries.get('providers')?.value, context),
    state: stateBackend(entries.get('state')?.value, chosen.root, context),
    concurrency: chosen.concurrency ?? concurrency ?? defaultConcurrency,
    ...(requestsPerMinute !== undefined && { requestsPerMinute }),
    timing: timingSettings(entries.get('timing')?.value, context),
    guards: guardSettings(entries.get('guards')?.value, context),
    ...(isWord('adopt', 'byKey', entries, context) && { adopt: 'byKey' as const }),
    ...(isWord('ownership', 'label', entries, context) && { ownership: 'label' as const }),
    ...(labels !== undefined && { labels: labelSettings(labels, context) }),
    ...(drift !== undefined && { drift: driftSettings(drift, context) }),
    ...(variables.size > 0 && { variables: Object.fromEntries(variables) }),
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

function projectName(entries: Entries, context: BuildContext): string {
  const value = entries.get('project')?.value;
  if (value === undefined) {
    const at: SourceRange = { file: 'sync.yaml', start: 0, end: 0 };
    context.problems.add('missing-setting', at, 'sync.yaml needs the name of the project.', {
      hint: 'project: payments',
    });
    return '';
  }
  const name = plainText(value, '"project"', context) ?? '';
  if (name !== '' && !/^[a-z][a-z0-9-]{0,62}$/.test(name)) {
    context.problems.add('bad-setting', value.at, `"${name}" can't be the name of a project.`, {
      detail: 'It starts with a small letter; up to 62 small letters, digits and "-" follow.',
    });
  }
  return name;
}

function patterns(name: string, value: Expression, context: BuildContext): readonly string[] {
  const items =
    value.kind === 'literal' && typeof value.value === 'string' ? [value] : listItems(value, `"${name}"`, context);
  return items.flatMap((item) => {
    const pattern = plainText(item, `A pattern of "${name}"`, context);
    if (pattern === undefined) return [];
    if (!path.isAbsolute(pattern) && !pattern.split('/').includes('..')) return [pattern];
    context.problems.add('bad-setting', item.at, `Patterns of "${name}" stay inside the project folder.`);
    return [];
  });
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

const backendKeys: Readonly<Record<string, readonly string[]>> = {
  sqlite: ['backend', 'path'],
  postgres: ['backend', 'url'],
};

function stateBackend(value: Expression | undefined, root: string, context: BuildContext): StateBackend {
  const sqlite = (file: string): StateBackend => ({ backend: 'sqlite', path: path.resolve(root, file) });
  const fallback = sqlite('.sync/state.db');
  if (value === undefined) return fallback;
  const entries = mapEntries(value, '"state"', context);
  const given = entries.get('backend')?.value;
  const backend = given === undefined ? 'sqlite' : plainText(given, '"state.backend"', context);
  const keys = backend === undefined ? undefined : backendKeys[backend];
  if (keys === undefined) {
    if (backend !== undefined) {
      context.problems.add('not-allowed', given?.at, '"state.backend" must be sqlite or postgres.');
    }
    return fallback;
  }
  refuseUnknownKeys(entries, keys, `The ${String(backend)} state`, context);
  if (backend === 'postgres') return { backend, url: postgresUrl(entries, value.at, context) };
  const file = entries.get('path')?.value;
  return file === undefined ? fallback : sqlite(plainText(file, '"state.path"', context) ?? '.sync/state.db');
}

function postgresUrl(entries: Entries, at: SourceRange, context: BuildContext): string {
  const given = entries.get('url')?.value;
  if (given === undefined) {
    context.problems.add('missing-setting', at, 'The postgres state needs a "url".', {
      hint: 'url: !env SYNC_STATE_URL',
    });
    return '';
  }
  const { value, secret } = plainValue(given, context);
  if (!secret) context.sources.hide(given.at);
  if (context.broken.has(given)) return '';
  if (typeof value !== 'string' || !URL.canParse(value) || !/^postgres(?:ql)?:/.test(value)) {
    if (secret && value === null) return '';
    context.problems.add('bad-setting', given.at, '"state.url" must be a URL that starts with postgres://.');
    return '';
  }
  const url = new URL(value);
  if (!secret && (url.password !== '' || url.searchParams.has('password'))) {
    context.problems.add('literal-secret', given.at, '"state.url" holds a password in plain text.', {
      severity: 'warning',
      detail: 'Files end up in version control.',
      hint: 'url: !env SYNC_STATE_URL',
    });
  }
  return value;
}

const hints = {
  adopt: 'adopt: byKey takes over objects that nobody manages when they have the key of a resource.',
  ownership: 'ownership: label writes on each object whose it is.',
};

/** A setting that has one word, and else is left out. */
function isWord(name: keyof typeof hints, word: string, entries: Entries, context: BuildContext): boolean {
  const value = entries.get(name)?.value;
  const given = value === undefined ? undefined : plainText(value, `"${name}"`, context);
  if (given === undefined || given === word) return given === word;
  context.problems.add('not-allowed', value?.at, `"${name}" must be ${word}.`, { hint: hints[name] });
  return false;
}
