import path from 'node:path';
import { defined } from '@platform-sync/core/model/value';
import type { Diagnostic, SourceRange } from '@platform-sync/core/model/diagnostic';
import type { Expression, MapEntry } from '@platform-sync/core/model/expression';
import {
  namedStack,
  onlyStack,
  type ProjectConfig,
  projectFileName,
  type ProjectNames,
} from '@platform-sync/core/model/project';
import type { ReadingRules } from '@platform-sync/core/model/trust';
import type { BuildContext } from '../read/build-context.js';
import { DataFiles } from '../read/data-files.js';
import { reportUnreadable } from '../read/file-failures.js';
import { reportUnsetVariable, withHiddenSecrets } from '../read/functions.js';
import { didYouMean } from '@platform-sync/core/model/nearest';
import { meant } from '../problem/advice.js';
import { Problems } from '../problem/problems.js';
import type * as Parameters from './parameters.js';
import type { UnsetVariables } from './parameters.js';
import { checkProviders, checkProviderSettings, withOwnProviders } from './providers.js';
import { readSettings } from './settings.js';
import { plainValue } from './plain-value.js';
import { ProjectFiles, SourceFiles, type Texts } from '../read/file-texts.js';
import { type Entries, mapEntries } from '../read/shape.js';
import { isUnset, overlay, withoutUnset } from '../read/overlay.js';
import type { PackageSource } from '@platform-sync/core/model/package-source';
import { type Meanings, meaningsOf } from './meanings.js';
import { readDocuments } from '../read/yaml-documents.js';
import { isWithin } from '@platform-sync/core/model/within';

export interface ProjectOptions {
  readonly rules?: ReadingRules;
  /** Folder that paths of the settings are relative to; default: the folder of the file. */
  readonly root?: string;
  /** Default: SYNC_STACK of `env`, else `defaultStack` of the file, else `default`. */
  readonly stack?: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly packages: PackageSource;
  /** Beats sync.yaml. */
  readonly concurrency?: number;
  /** Beats sync.yaml. */
  readonly settleSeconds?: number;
  /** Values of parameters, by name. */
  readonly vars?: Readonly<Record<string, string>>;
  /** Files of values of parameters, absolute paths, later ones over earlier ones. */
  readonly varFiles?: readonly string[];
  /** A folder without sync.yaml is a project without a catalogue. */
  readonly isOptional?: true;
  /** Nothing is sent: secrets of servers, state and webhook may be unset; or nothing but to the state. */
  readonly isOffline?: true | 'but for the state';
  /** Where no stack is named, any will do: all are looked at in turn. */
  readonly isForEveryStack?: true;
  readonly texts?: Texts | undefined;
  /** Values for parameters that are not declared are left aside: this is another commit than the one they were given for. */
  readonly isOtherCommit?: true;
}

export interface LoadedProject {
  /** Present when there were no errors. */
  readonly config?: ProjectConfig;
  /** With those of providers that the file describes. */
  readonly packages: PackageSource;
  readonly meanings?: Meanings;
  readonly diagnostics: Diagnostic[];
  /** Stacks that the file declares, as written; with errors, none. */
  readonly stacks: readonly string[];
  /** With errors: what is known all the same. */
  readonly names?: ProjectNames;
}

/** Reads the sync.yaml of a folder for one stack. */
export async function loadProjectConfig(cwd: string, options: ProjectOptions): Promise<LoadedProject> {
  const root = path.resolve(options.root ?? cwd);
  const sources = new SourceFiles();
  const problems = new Problems();
  const files = new ProjectFiles(path.resolve(cwd), undefined, options.texts);
  const unset = new Map<Expression, { readonly name: string; readonly at: SourceRange }>();
  const context: BuildContext = {
    problems,
    sources,
    data: new DataFiles(files),
    env: options.env,
    // What its settings need is read; what its parameters hold may be hidden, see `parameterEntries`.
    rules: options.rules && { variable: options.rules.variable, data: options.rules.data },
    broken: new WeakSet(),
    lookups: [],
    // Another stack's variables need not be set: only what the chosen stack uses is missed.
    onUnsetVariable: (stand, name, at) => void unset.set(stand, { name, at }),
  };
  const settings = readProjectFile(files, options.isOptional === true, context);
  const config = settings && (await configOf(settings, root, options, unset, files, context));
  for (const value of config?.used ?? []) {
    const missing = unset.get(value);
    if (missing !== undefined) reportUnsetVariable(missing.name, missing.at, context);
  }
  const diagnostics = problems.diagnostics(sources);
  return problems.hasErrors || config === undefined
    ? { packages: options.packages, diagnostics, stacks: [], names: namesIn(settings, config?.config) }
    : { ...config, diagnostics };
}

/** Also of a file whose stack nobody could choose the project has a name. */
function namesIn(settings: Entries | undefined, config: ProjectConfig | undefined): ProjectNames {
  if (config !== undefined) return { project: config.project, stack: config.stack };
  const name = settings?.get('project')?.value;
  return name?.kind === 'literal' && typeof name.value === 'string' ? { project: name.value } : {};
}

function readProjectFile(files: ProjectFiles, isOptional: boolean, context: BuildContext): Entries | undefined {
  const read = files.read(projectFileName);
  if (!read.ok && read.why === 'missing' && isOptional) {
    const at = { file: projectFileName, start: 0, end: 0 };
    return new Map([['project', { key: at, value: { kind: 'literal', value: 'none', at } }]]);
  }
  if (!read.ok && read.why === 'missing') {
    context.problems.add('no-project', undefined, `There is no ${projectFileName} in ${files.root}.`, {
      hint: 'Name the project folder with --cwd, or write one: sync init',
    });
    return undefined;
  }
  if (!read.ok) {
    reportUnreadable(projectFileName, read, context);
    return undefined;
  }
  context.sources.add(projectFileName, read.text);
  const documents = readDocuments(projectFileName, read.text, context);
  if (documents === undefined) return undefined;
  const [first, second] = documents;
  const start = { file: projectFileName, start: 0, end: 0 };
  if (second !== undefined) context.problems.add('wrong-type', second.at, `${projectFileName} must be one document.`);
  return mapEntries(first ?? { kind: 'literal', value: null, at: start }, projectFileName, context);
}

async function configOf(
  read: Entries,
  root: string,
  options: ProjectOptions,
  unset: UnsetVariables,
  files: ProjectFiles,
  reading: BuildContext,
): Promise<
  | (Required<Pick<LoadedProject, 'config' | 'packages' | 'meanings' | 'stacks'>> & {
      readonly used: readonly Expression[];
    })
  | undefined
> {
  const context: BuildContext = { ...reading, rules: options.rules };
  const entries = withHiddenParameters(read, context);
  const stacks = stackBlocks(entries, context);
  const stack = chosenStack(entries, stacks, options, context);
  if (stack === undefined) return withoutStack({ entries, stacks, stack: '', chosen: entries }, root, context);
  // Every stack is read, so that a mistake in one is found before it is used.
  const room = await parametersAskedFor([entries, ...stacks.values()], options);
  const declared = room?.readParameters(entries.get('parameters')?.value, context) ?? new Map<string, never>();
  const values = new Map<string, Entries>();
  const overlays: string[] = [];
  for (const [name, block] of stacks) {
    if (room !== undefined) values.set(name, room.stackValues(block, name, declared, context));
    if (name === stack) continue;
    const other = readSettings(overlayStack(entries, block), { root, stack: name }, context);
    overlays.push(...(other.overlays ?? []));
  }
  const chosen = overlayStack(entries, stacks.get(stack) ?? new Map());
  const written = { entries, stacks, stack, chosen };
  const blocks = [chosen, entries, ...stacks.values()];
  const { described, ...packages } = await withOwnProviders(blocks, options.packages, files, context);
  await checkEveryProvider(written, packages, context);
  const { ruleSet, ...config } = readSettings(
    withWhatStandsBeside(written),
    { root, stack, concurrency: options.concurrency, settleSeconds: options.settleSeconds },
    context,
  );
  const specificationRules = ruleSet && (await import('./rule-set.js')).readRuleSet(ruleSet.file, ruleSet.at, context);
  const given = {
    vars: options.vars ?? {},
    files: (options.varFiles ?? []).map((file) => readVarFile(file, root, context)),
    mustBeDeclared: options.isOtherCommit !== true,
  };
  const ofStack = { name: stack, values: values.get(stack) ?? new Map<string, MapEntry>() };
  const parameters = room?.chooseValues(declared, ofStack, given, unset, context);
  const everyOverlay = [...new Set([...(config.overlays ?? []), ...overlays])];
  const unneeded = blocksUnneeded(options);
  return {
    config: {
      ...config,
      ...(everyOverlay.length === 0 ? {} : { everyOverlay }),
      ...defined({ specificationRules, parameters: declared.size === 0 ? undefined : parameters }),
    },
    packages,
    meanings: meaningsOf(described, [entries, stacks.get(stack)], chosen, unset),
    stacks: [...stacks.keys()],
    used: [...chosen].flatMap(([name, { value }]) => (unneeded.includes(name) ? [] : plainValue(value, context).used)),
  };
}

/** Blocks whose variables may be unset. Only a drift check minds a missing one under `drift`: see DriftSettings.unset. */
function blocksUnneeded({ isOffline }: ProjectOptions): readonly string[] {
  return ['drift', ...(isOffline === undefined ? [] : ['providers']), ...(isOffline === true ? ['state'] : [])];
}

/** What reads parameters, where the file or whoever runs this says anything of one. */
async function parametersAskedFor(
  blocks: readonly Entries[],
  { vars = {}, varFiles = [] }: ProjectOptions,
): Promise<typeof Parameters | undefined> {
  const isGiven = Object.keys(vars).length + varFiles.length > 0;
  return isGiven || blocks.some((block) => block.has('parameters')) ? import('./parameters.js') : undefined;
}

/** The file as it is written, and what is chosen of it. */
interface WrittenProject {
  readonly entries: Entries;
  readonly stacks: ReadonlyMap<string, Entries>;
  readonly stack: string;
  /** The settings of all stacks with those of the chosen one over them. */
  readonly chosen: Entries;
}

/** Nobody can tell the stack; a setting with another name than its own may be why. */
function withoutStack(written: WrittenProject, root: string, context: BuildContext): undefined {
  readSettings(withWhatStandsBeside(written), { root, stack: '' }, context);
}

/** The providers of all stacks, whichever is chosen. */
async function checkEveryProvider(
  { entries, stacks, stack, chosen }: WrittenProject,
  packages: PackageSource,
  context: BuildContext,
): Promise<void> {
  for (const block of stacks.values()) await checkProviders(block, packages, context);
  await checkProviders(entries, packages, context);
  // What a stack leaves out may be another's to say, as long as nobody has chosen that stack.
  for (const [name, block] of stacks)
    await checkProviderSettings(overlayStack(entries, block), packages, context, name !== stack);
  await checkProviderSettings(chosen, packages, context, stacks.size > 0 && !stacks.has(stack));
}

/** The chosen settings, and what is no stack's and is looked at with them. */
function withWhatStandsBeside({ entries, chosen }: WrittenProject): Entries {
  const beside = [...entries].filter(
    ([name, { value }]) =>
      ['parameters', 'stacks', 'defaultStack'].includes(name) || (isUnset(value) && !chosen.has(name)),
  );
  return new Map([...chosen, ...beside]);
}

/** What parameters hold is hidden with what the catalogue says. */
function withHiddenParameters(entries: Entries, context: BuildContext): Entries {
  const hidden = (block: Entries, name: string, hide: (value: Expression) => Expression): Entries => {
    const entry = block.get(name);
    return entry === undefined ? block : new Map(block).set(name, { ...entry, value: hide(entry.value) });
  };
  const inParameters = (block: Entries): Entries =>
    hidden(block, 'parameters', (value) => withHiddenSecrets(value, context));
  return hidden(inParameters(entries), 'stacks', (stacks) => {
    if (stacks.kind !== 'map') return stacks;
    const blocks = [...stacks.entries].map(([name, { key, value }]): [string, MapEntry] => [
      name,
      { key, value: value.kind === 'map' ? { ...value, entries: inParameters(value.entries) } : value },
    ]);
    return { ...stacks, entries: new Map(blocks) };
  });
}

function stackBlocks(entries: Entries, context: BuildContext): ReadonlyMap<string, Entries> {
  const declared = entries.get('stacks');
  const blocks = declared === undefined ? [] : mapEntries(declared.value, '"stacks"', context);
  return new Map([...blocks].map(([name, { value }]) => [name, mapEntries(value, `The stack ${name}`, context)]));
}

/** The stack to work on; undefined where it is for whoever runs the program to say, and nobody did. */
function chosenStack(
  entries: Entries,
  stacks: ReadonlyMap<string, Entries>,
  options: ProjectOptions,
  context: BuildContext,
): string | undefined {
  const known = stacks.size === 0 ? [onlyStack] : [...stacks.keys()];
  const at = entries.get('stacks')?.key ?? { file: projectFileName, start: 0, end: 0 };
  const byDefault = entries.get('defaultStack')?.value;
  const preset = byDefault?.kind === 'literal' && typeof byDefault.value === 'string' ? byDefault.value : undefined;
  if (preset !== undefined && !known.includes(preset)) reportUnknownStack(preset, known, byDefault?.at ?? at, context);
  const named = namedStack(options.stack, options.env);
  // Another commit may be of before its stacks were declared.
  const isEarlier = options.isOtherCommit === true && named === onlyStack;
  if (named !== undefined && !known.includes(named) && !isEarlier) reportUnknownStack(named, known, at, context);
  const chosen = named ?? preset ?? known.find((name) => name === onlyStack || options.isForEveryStack === true);
  if (chosen === undefined)
    context.problems.add('unknown-stack', at, 'No stack is named, and there is no default.', {
      detail: knownStacks(known),
      hint: `Name one with --stack or SYNC_STACK, or set a default in ${projectFileName}: "defaultStack: ${known[0] ?? ''}".`,
    });
  return chosen;
}

function knownStacks(known: readonly string[]): string {
  return known.length === 1 ? `The only stack is "${known[0] ?? ''}".` : `The stacks are ${known.join(', ')}.`;
}

function reportUnknownStack(
  stack: string,
  known: readonly string[],
  at: SourceRange,
  { problems, sources }: BuildContext,
): void {
  // One that was given to the program stands in no file.
  const similar = sources.slice(at).includes(stack) ? meant(stack, known) : didYouMean(stack, known);
  problems.add('unknown-stack', at, `There is no stack "${stack}".`, {
    detail: knownStacks(known),
    hint: similar ?? `Declare it under "stacks" in ${projectFileName}.`,
  });
}

/** The entries of a file of values (`--var-file`), YAML or JSON. It may lie anywhere: whoever runs this names it. */
function readVarFile(file: string, root: string, context: BuildContext): Entries {
  const shown = shownName(file, root);
  const read = new ProjectFiles(path.dirname(file)).read(path.basename(file));
  if (!read.ok) {
    reportUnreadable(shown, read, context);
    return new Map();
  }
  context.sources.add(shown, read.text);
  const [first, second] = readDocuments(shown, read.text, context) ?? [];
  if (second !== undefined) context.problems.add('wrong-type', second.at, `${shown} must be one document.`);
  return first === undefined ? new Map() : mapEntries(first, shown, context);
}

/** Relative to the project where it lies in there. */
function shownName(file: string, root: string): string {
  return isWithin(root, file) ? path.relative(root, file).replaceAll(path.sep, '/') : file;
}

/** What a stack may override. */
const stackKeys = [
  'catalogue',
  'overlays',
  'providers',
  'state',
  'concurrency',
  'requestsPerMinute',
  'timing',
  'guards',
  'policies',
  'history',
  'adopt',
  'ownership',
  'labels',
  'drift',
  'specificationRules',
] as const;

export type StackKey = (typeof stackKeys)[number];

/** A stack's block over the settings of the file: maps merge, everything else is replaced. */
function overlayStack(settings: Entries, stack: Entries): Entries {
  const merged = new Map<string, MapEntry>(settings);
  for (const name of ['stacks', 'defaultStack', 'parameters']) merged.delete(name);
  for (const name of stackKeys) {
    const entry = stack.get(name);
    if (entry === undefined) continue;
    const below = settings.get(name);
    // Another backend shares no settings with the one it replaces.
    const replaces = name === 'state' && entry.value.kind === 'map' && entry.value.entries.has('backend');
    const value = below === undefined || replaces ? entry.value : overlay(below.value, entry.value);
    merged.set(name, { key: entry.key, value });
  }
  return withoutUnset(merged);
}
