import type { Expression } from '@platform-sync/core/model/expression';
import type { Diagnostic } from '@platform-sync/core/model/diagnostic';
import type { ProjectConfig } from '@platform-sync/core/model/project';
import { assemble } from './build/assemble.js';
import type { Catalogue } from './build/catalogue.js';
import { applyOverlays } from './build/overlays.js';
import { resolveLookup, type Vocabulary } from './build/vocabulary.js';
import { Problems } from './problem/problems.js';
import type { BuildContext } from './read/build-context.js';
import { DataFiles } from './read/data-files.js';
import type { Draft, DraftFile } from './read/draft.js';
import { hasSections, ProjectFiles, type Texts } from './read/file-texts.js';
import { readCatalogueFile } from './read-files.js';

/** A catalogue that was read as a whole, and what it takes to check one file against the rest of it. */
interface Warm {
  readonly config: ProjectConfig;
  readonly files: readonly DraftFile[];
  readonly overlays: readonly DraftFile[];
  readonly vocabulary: Vocabulary;
  readonly catalogue: Catalogue;
  readonly builtIn: ReadonlyMap<string, Expression>;
  readonly context: BuildContext;
  readonly check: (catalogue: Catalogue, vocabulary: Vocabulary, context: BuildContext) => Promise<unknown>;
}

/**
 * What is wrong in one file as it stands now, by the other files as they stood: in the time that its own resources take. Rings,
 * equal keys and addresses of two files are for the whole to find. Undefined: so is everything, because the file means more than itself.
 */
export async function recheckFile(warm: Warm, file: string, texts: Texts): Promise<readonly Diagnostic[] | undefined> {
  const { config, vocabulary, overlays, catalogue: before } = warm;
  const known = warm.files.find((each) => each.file === file);
  const kept = config.state.backend === 'sqlite' ? config.state.path : undefined;
  const projectFiles = new ProjectFiles(config.root, kept, texts);
  const text = projectFiles.read(file);
  if (known === undefined || known.sources.length > 0 || !text.ok || !hasSections(text.text)) return undefined;
  const data = new DataFiles(projectFiles, true);
  const [problems, sources] = [new Problems(), warm.context.sources.copy()];
  const context: BuildContext = { ...warm.context, problems, sources, data, lookups: [] };
  const draft = readCatalogueFile(file, projectFiles, false, context);
  const own = (): readonly Diagnostic[] => problems.diagnostics(sources).filter(({ place }) => place?.file === file);
  if (draft === undefined) return own();
  if (draft.sources.length > 0 || data.waiting.size > 0 || !isKnown(draft, context, vocabulary)) return undefined;
  for (const lookup of context.lookups) resolveLookup(lookup, vocabulary, context);
  // Patches of what stands in other files find nothing here.
  const patches = overlays.map((overlay) => ({ ...nothing, file: overlay.file, patches: overlay.patches }));
  const patched = applyOverlays([draft, ...patches], true, context);
  const now = assemble(patched, overlays, vocabulary, before.incomplete, warm.builtIn, context);
  await warm.check(amongOthers(now, before, file), vocabulary, context);
  return own();
}

const nothing: Omit<DraftFile, 'file'> = {
  ...{ defaults: [], variables: [], outputs: [], resources: [] },
  ...{ patches: [], sources: [], removed: [], moved: [] },
};

/** True where the providers of all that the file names are loaded. */
function isKnown(draft: DraftFile, { lookups }: BuildContext, { packages }: Vocabulary): boolean {
  const tokens = (drafts: readonly Draft[]): readonly string[] =>
    drafts.flatMap(({ type, children }) => [...(type === undefined ? [] : [type.text]), ...tokens(children)]);
  const named = [
    ...tokens(draft.resources),
    ...draft.defaults.map(({ type }) => type),
    ...lookups.map(({ lookup }) => lookup.function),
  ];
  return named.every((token) => packages.has(token.slice(0, Math.max(0, token.indexOf(':')))));
}

/** What one file says now, with what the others said. */
function amongOthers(now: Catalogue, before: Catalogue, file: string): Catalogue {
  const resources = new Map([...before.resources].filter(([, { desired }]) => desired.at.file !== file));
  for (const [address, resource] of now.resources) resources.set(address, resource);
  const variables = new Map([...before.variables].filter(([, { at }]) => at.file !== file));
  for (const [name, value] of now.variables) variables.set(name, value);
  const untyped = new Set([...before.untyped, ...now.untyped]);
  return { ...now, resources, variables, untyped, off: new Map([...before.off, ...now.off]) };
}
