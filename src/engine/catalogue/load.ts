import type { Address } from '@platform-sync/core/model/address';
import type { DesiredResource, DesiredState, ReadFile } from '@platform-sync/core/model/desired';
import { type Diagnostic, hasErrors, type Sources } from '@platform-sync/core/model/diagnostic';
import { defined } from '@platform-sync/core/model/value';
import type { Expression } from '@platform-sync/core/model/expression';
import { isMarked, markedResource } from '@platform-sync/core/model/ownership-mark';
import type { ProjectConfig } from '@platform-sync/core/model/project';
import type { ReadingRules } from '@platform-sync/core/model/trust';
import type { World } from '@platform-sync/core/model/world';
import { assemble } from './build/assemble.js';
import type { Catalogue } from './build/catalogue.js';
import { builtInVariables, declaredVariables, limitVariables } from './build/variables.js';
import { applyOverlays } from './build/overlays.js';
import { bindReferences, findCycles, referencesIn } from './build/references.js';
import type { BuildContext, OpenLookup } from './read/build-context.js';
import { checkRoomForMarks, checkValues } from './check/values.js';
import { checkOptions } from './check/options.js';
import { checkReferences } from './check/references.js';
import { catalogueDigest, treeMeanings } from './build/meaning.js';
import type { ValueScope } from './build/known-value.js';
import { checkNaturalKeys, keysElsewhere, type NaturalKeys } from './check/natural-keys.js';
import { readFiles } from './read-files.js';
import type { DraftFile, Draft } from './read/draft.js';
import { SourceFiles, type Texts } from './read/file-texts.js';
import { loadVocabulary, resolveLookup, type Packages, type Vocabulary } from './build/vocabulary.js';

interface LoadOptions {
  readonly rules?: ReadingRules;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly packages: Packages;
  readonly turn?: World['turn'];
  readonly texts?: Texts | undefined;
  /** The only files that are read, though others match. */
  readonly part?: readonly string[] | undefined;
  readonly expression?: string | undefined;
}

export interface LoadedCatalogue {
  /** Present when there were no errors. */
  readonly desired?: DesiredState;
  /** Sorted by place. */
  readonly diagnostics: Diagnostic[];
  /** Catalogue files read. */
  readonly files: number;
  readonly sources: Sources;
  /** Of files that somebody edits: see `recheck.ts`. */
  readonly recheck?: Recheck;
}

/** Reads all catalogue files of a project and checks everything that can be known without network and state. */
export async function loadCatalogue(config: ProjectConfig, options: LoadOptions): Promise<LoadedCatalogue> {
  const sources = new SourceFiles();
  const { turn } = options;
  const read = await readFiles(config, options, sources);
  const { overlays, count, context } = read;
  const incomplete = read.files.length + overlays.length < count;
  const all = [...read.files, ...overlays];
  const vocabulary = await loadVocabulary(tokensOf(all, context.lookups), options.packages);
  for (const lookup of context.lookups) resolveLookup(lookup, vocabulary, context);
  const builtIn = builtInVariables(config, context);
  const files = read.found.length === 0 ? all : await withSources(read, all, vocabulary, context);
  const patched = applyOverlays(files, incomplete, context);
  const catalogue = assemble(patched, overlays, vocabulary, incomplete, builtIn, context);
  await turn?.();
  const keys = await check(catalogue, vocabulary, context);
  await turn?.();
  if (config.ownership === 'label') checkRoomForMarks(catalogue, context);
  const { problems } = context;
  const missing = config.parameters?.problems ?? [];
  const diagnostics = [...missing, ...problems.diagnostics(sources)];
  const warm = { config, overlays, files: read.files, vocabulary, catalogue, builtIn, context, check };
  const recheck: Recheck = async (file, texts) => (await import('./recheck.js')).recheckFile(warm, file, texts);
  const loaded = { diagnostics, files: count, sources, ...(options.texts === undefined ? {} : { recheck }) };
  if (hasErrors(diagnostics)) return loaded;
  return { desired: desiredState(catalogue, config, context, filesOf(read), keys), ...loaded };
}

/** The files with what their sources stand for. */
async function withSources(
  { found, files, overlays, count }: Awaited<ReturnType<typeof readFiles>>,
  all: readonly DraftFile[],
  vocabulary: Vocabulary,
  context: BuildContext,
): Promise<readonly DraftFile[]> {
  const [{ readSource }, { combineSources }] = await Promise.all([
    import('./sources/read-source.js'),
    import('./sources/combine.js'),
  ]);
  const sourced: Draft[] = [];
  for (const source of found) sourced.push(...(await readSource(source, vocabulary, context)));
  return combineSources(all, sourced, vocabulary, files.length + overlays.length < count, context);
}

function filesOf({ files, found, overlays, context }: Awaited<ReturnType<typeof readFiles>>): DesiredState['files'] {
  if (found.length > 0 || [...files, ...overlays].some(({ sources }) => sources.length > 0)) return undefined;
  const reads = context.data.byReader();
  const textOf = (file: string): string => context.sources.slice({ file, start: 0, end: Infinity });
  const readFile = (file: string): ReadFile => ({ file, text: textOf(file), reads: reads.get(file) ?? [] });
  return [
    ...files.map(({ file }) => readFile(file)),
    ...overlays.map(({ file, patches }) => ({ ...readFile(file), patched: patches.map(({ address }) => address) })),
  ];
}

type Recheck = (file: string, texts: Texts) => Promise<readonly Diagnostic[] | undefined>;

async function check(catalogue: Catalogue, vocabulary: Vocabulary, context: BuildContext): Promise<NaturalKeys> {
  const referring = referencesIn(catalogue);
  bindReferences(catalogue, referring, context);
  checkOptions(catalogue, context);
  const { cyclic, order } = findCycles(catalogue, referring, context);
  const unusable = limitVariables(catalogue, referring, order, cyclic, context);
  const scope: ValueScope = { variables: catalogue.variables, unusable, broken: context.broken };
  checkReferences(catalogue, referring, vocabulary, scope, context);
  await checkValues(catalogue, vocabulary, scope, context);
  return checkNaturalKeys(catalogue, scope, context);
}

function tokensOf(files: readonly DraftFile[], lookups: readonly OpenLookup[]): ReadonlySet<string> {
  const found = new Set<string>();
  const addAll = (resources: readonly Draft[]): void => {
    for (const { type, children } of resources) {
      if (type !== undefined) found.add(type.text);
      addAll(children);
    }
  };
  for (const file of files) {
    for (const { type } of file.defaults) found.add(type);
    for (const { type } of file.sources) found.add(type.text);
    addAll(file.resources);
  }
  for (const { lookup } of lookups) found.add(lookup.function);
  return found;
}

function desiredState(
  catalogue: Catalogue,
  config: ProjectConfig,
  { sources, ...context }: BuildContext,
  files: DesiredState['files'],
  keys: NaturalKeys,
): DesiredState {
  const { variables, outputs } = catalogue;
  const written = new Map<Address, DesiredResource>();
  for (const [address, { desired }] of catalogue.resources) written.set(address, desired);
  const resources = config.ownership === 'label' ? withMarks(catalogue, config) : written;
  const removed = catalogue.removed.size === 0 ? undefined : catalogue.removed;
  const moved = catalogue.moved.size === 0 ? undefined : catalogue.moved;
  const lookups = context.lookups.map(({ lookup }) => lookup);
  let digest: string | undefined;
  let meanings: ReadonlyMap<string, string> | undefined;
  const state: DesiredState & Pick<Required<DesiredState>, 'meanings' | 'digestWith'> = {
    ...{ resources, variables, outputs, lookups, sources, files },
    ...defined({ parameters: parametersOf(config), removed, moved }),
    // Only a plan has one.
    get digest() {
      return (digest ??= state.digestWith(state.meanings));
    },
    get meanings() {
      return (meanings ??= treeMeanings(written));
    },
    keysElsewhere: () => keysElsewhere(keys),
    digestWith: (trees) => catalogueDigest(trees, declaredVariables(variables), outputs, leaving(catalogue)),
  };
  return state;
}

function leaving({ removed, moved }: Catalogue): readonly string[] {
  return [...removed.keys(), ...[...moved].map(([address, { to }]) => `${address} to ${to}`)];
}

function withMarks({ resources }: Catalogue, config: ProjectConfig): DesiredState['resources'] {
  const marked = new Map<Address, DesiredResource>();
  for (const [address, { desired, type }] of resources)
    marked.set(address, isMarked(type) ? markedResource(desired, config) : desired);
  return marked;
}

/** Only where they all have values is there a desired state. */
function parametersOf({ parameters }: ProjectConfig): ReadonlyMap<string, Expression> | undefined {
  if (parameters === undefined) return undefined;
  return new Map([...parameters.values].flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])));
}
