import type { ProjectConfig } from '@platform-sync/core/model/project';
import type { World } from '@platform-sync/core/model/world';
import { type Hint, replacing } from './problem/advice.js';
import { type ProblemDetails, Problems } from './problem/problems.js';
import type { BuildContext } from './read/build-context.js';
import { DataFiles } from './read/data-files.js';
import { discoverFiles } from './read/discover.js';
import { type DraftFile, readDraftFile } from './read/draft.js';
import { isSpecification, ProjectFiles, type SourceFiles, type TextRead, type Texts } from './read/file-texts.js';
import type { FoundSource } from './sources/find-files.js';
import { isEmptyText, reportEmpty, reportUnreadable } from './read/file-failures.js';
import { readDocuments } from './read/yaml-documents.js';
import { badGlob, isGlob } from '@platform-sync/core/model/glob';
import { nearest } from '@platform-sync/core/model/nearest';

interface ReadFiles {
  readonly files: readonly DraftFile[];
  readonly overlays: readonly DraftFile[];
  readonly found: readonly FoundSource[];
  /** Files there are, those that could not be read included. */
  readonly count: number;
  readonly context: BuildContext;
}

interface ReadOptions extends Pick<BuildContext, 'env' | 'rules'>, Partial<Pick<World, 'turn'>> {
  readonly texts?: Texts | undefined;
  readonly part?: readonly string[] | undefined;
  readonly expression?: string | undefined;
}

/** The files that the patterns of the catalogue find. */
export function catalogueFiles({
  root,
  catalogue,
  everyOverlay = [],
}: Pick<ProjectConfig, 'root' | 'catalogue' | 'everyOverlay'>): ReturnType<typeof discoverFiles> {
  const others = everyOverlay.flatMap((pattern) => (pattern.startsWith('!') ? [] : [`!${pattern}`]));
  return discoverFiles(root, [...catalogue, ...others]);
}

export async function overlayFiles({
  root,
  overlays = [],
}: Pick<ProjectConfig, 'root' | 'overlays'>): Promise<readonly string[]> {
  return (await discoverFiles(root, overlays)).files;
}

/** An expression that somebody typed counts as an output of a file that holds nothing else. */
export const typed = { file: 'expression', output: 'typed-expression' };

interface Read {
  readonly file: string;
  readonly own: BuildContext;
  readonly isOverlay: boolean;
  readonly draft: DraftFile | undefined;
}

/**
 * The catalogue files of a project, its overlays, and the files of their sources. Files with a section of a catalogue come first: they
 * tell which of the others are data.
 */
export async function readFiles(
  config: ProjectConfig,
  { env, rules, turn, texts, part, expression }: ReadOptions,
  sources: SourceFiles,
): Promise<ReadFiles> {
  const kept = config.state.backend === 'sqlite' ? config.state.path : undefined;
  const projectFiles = new ProjectFiles(config.root, kept, texts);
  const data = new DataFiles(projectFiles, true);
  const broken: BuildContext['broken'] = new WeakSet();
  const newContext = (): BuildContext => ({ problems: new Problems(), sources, data, env, rules, broken, lookups: [] });
  const context = newContext();
  const { files, unmatched } = part === undefined ? await catalogueFiles(config) : { files: part, unmatched: [] };
  const patching = await discoverFiles(config.root, config.overlays ?? []);
  const overlays = new Set(patching.files);
  const found: FoundSource[] = [];
  const read = async (file: string): Promise<Read> => {
    const isOverlay = overlays.has(file);
    // What was asked for ahead goes on meanwhile.
    await turn?.();
    const readOnce = (own: BuildContext): Pick<Read, 'own' | 'draft'> => {
      return { own, draft: readCatalogueFile(file, projectFiles, isOverlay, own) };
    };
    const first = readOnce(newContext());
    const { own, draft } = (await hasOverlaid(data, rules, projectFiles)) ? readOnce(newContext()) : first;
    if (draft !== undefined && draft.sources.length > 0)
      found.push(...(await sourcesOf(draft, file, config.root, own)));
    return { file, own, isOverlay, draft };
  };
  const isPlain = (file: string): boolean => overlays.has(file) || projectFiles.looksLikeCatalogue(file);
  const all = [...files, ...patching.files];
  const reads: Read[] = [];
  for (const file of all) if (isPlain(file)) reads.push(await read(file));
  const unread: string[] = [];
  const doubtful: Read[] = [];
  for (const file of all) {
    if (isPlain(file) || data.isRead(file)) continue;
    const text = projectFiles.read(file);
    if (text.ok && isSpecification(text.text)) unread.push(file);
    else doubtful.push(await read(file));
  }
  // A file read before the one that takes it as data was found to do so. What a broken file would have taken is not known.
  const isBroken = reads.some(({ draft }) => draft === undefined);
  for (const each of doubtful) if (!data.isRead(each.file) && !(isBroken && isNothing(each))) reads.push(each);
  const isEmpty = files.length > 0 && reads.every(({ isOverlay }) => isOverlay);
  if (expression !== undefined) reads.push(typedExpression(expression, newContext()));
  for (const { own } of reads) {
    context.problems.addAll(own.problems);
    for (const lookup of own.lookups) context.lookups.push(lookup);
  }
  if (!context.problems.hasErrors) reportUnread(unread, context);
  for (const pattern of unmatched) await reportNoMatch(pattern, 'file', config, context);
  if (isEmpty) reportNone('Files match "catalogue", but none of them is a catalogue file.', catalogueHint, {}, context);
  for (const pattern of patching.unmatched) await reportNoMatch(pattern, 'overlay', config, context);
  const drafts = (isOverlay: boolean): readonly DraftFile[] =>
    reads.flatMap((each) => (each.draft === undefined || each.isOverlay !== isOverlay ? [] : [each.draft]));
  return { files: drafts(false), overlays: drafts(true), found, count: reads.length, context };
}

/** What begins like YAML is read as YAML, other text as text; a name alone needs no `${…}`. */
function typedExpression(expression: string, own: BuildContext): Read {
  const given = expression.trim();
  const text = /^[!{["'*&|>]/.test(given) || given.includes('${') ? given : `\${${given}}`;
  const written = /^[!{["']/.test(text) ? text.replaceAll('\n', '\n    ') : JSON.stringify(text);
  const yaml = `outputs:\n  ${typed.output}: ${written}\n`;
  own.sources.add(typed.file, yaml);
  const documents = readDocuments(typed.file, yaml, own);
  const draft = documents && readDraftFile(typed.file, documents, false, own);
  return { file: typed.file, own, isOverlay: false, draft };
}

/** The files of a file's sources. */
async function sourcesOf(
  { sources }: DraftFile,
  file: string,
  root: string,
  own: BuildContext,
): Promise<readonly FoundSource[]> {
  const { findSourceFiles } = await import('./sources/find-files.js');
  const found: FoundSource[] = [];
  for (const source of sources) found.push(...[(await findSourceFiles(root, source, file, own)) ?? []].flat());
  return found;
}

/** Makes what overlays of specifications stand for that were asked for; false when none was. */
async function hasOverlaid(data: DataFiles, rules: BuildContext['rules'], files: ProjectFiles): Promise<boolean> {
  if (data.waiting.size === 0) return false;
  const { readOverlays } = await import('./read/specification-overlay.js');
  await readOverlays(data, readable(rules, files));
  return true;
}

/** Files as the policy lets them be read. */
function readable(
  rules: BuildContext['rules'],
  files: ProjectFiles,
): (file: string) => TextRead | { readonly ok: false; readonly why: 'policy' } {
  return (file) => (rules?.data(file) === false ? { ok: false, why: 'policy' } : files.read(file));
}

/** True for a file that adds nothing to the catalogue: it may be somebody's data. */
function isNothing({ draft }: Read): boolean {
  return (
    draft === undefined ||
    draft.resources.length + draft.variables.length + draft.outputs.length + draft.sources.length === 0
  );
}

const catalogueHint =
  'Correct "catalogue" in sync.yaml, or write the file. If nothing should exist, write a file with: resources: {}';

/** An empty catalogue means that nothing should exist: nobody says so by a mistyped pattern or a wrong folder. */
async function reportNoMatch(
  pattern: string,
  what: 'file' | 'overlay',
  { root, patternPlaces }: ProjectConfig,
  context: BuildContext,
): Promise<void> {
  const similar = await similarPattern(root, pattern);
  const hint = what === 'file' ? catalogueHint : 'Correct "overlays" of the stack in sync.yaml, or write the file.';
  const near = similar === undefined ? hint : replacing(`Did you mean ${similar}?`, pattern, similar);
  reportNone(`No ${what} matches ${pattern}.`, near, { place: patternPlaces?.get(pattern) }, context);
}

function reportNone(summary: string, hint: Hint, where: ProblemDetails, { problems }: BuildContext): void {
  problems.add('no-catalogue-files', undefined, summary, { hint, ...where });
}

/** One for all: a folder may hold hundreds. */
function reportUnread(unread: readonly string[], { problems, data }: BuildContext): void {
  const files = unread.filter((file) => !data.isRead(file));
  const [first] = files;
  if (first === undefined) return;
  const more = files.length === 1 ? '' : `, and ${String(files.length - 1)} more like it`;
  const folder = first.slice(0, Math.max(0, first.lastIndexOf('/')));
  problems.add(
    'unread-specification',
    { file: first, start: 0, end: 0 },
    `Nothing reads this API specification${more}.`,
    {
      severity: 'warning',
      hint: `Read it with !file, or make its folder a source: {sources: {${folder.slice(folder.lastIndexOf('/') + 1)}: platform:Api}}`,
    },
  );
}

/** One catalogue file; undefined (reported) when it can't be read or its YAML is broken. */
export function readCatalogueFile(
  file: string,
  files: ProjectFiles,
  isOverlay: boolean,
  context: BuildContext,
): DraftFile | undefined {
  const read = files.read(file);
  if (!read.ok) {
    reportUnreadable(file, read, context);
    return undefined;
  }
  context.sources.add(file, read.text);
  if (!isOverlay && isEmptyText(read.text)) {
    const hint = 'If it should be empty, write: resources: {}';
    reportEmpty(file, { file, start: 0, end: 0 }, context, hint);
  }
  const documents = readDocuments(file, read.text, context);
  return documents && readDraftFile(file, documents, isOverlay, context);
}

/** What a pattern without files may have meant: a file, or the same pattern in a folder or with an ending that has some. */
async function similarPattern(root: string, pattern: string): Promise<string | undefined> {
  const { files } = await discoverFiles(root, ['**/*.{yaml,yml}', '!.sync/**']);
  if (!isGlob(pattern)) return nearest(pattern, files);
  const steps = pattern.split('/');
  const tail = steps.slice(steps.findIndex((step) => isGlob(step))).join('/');
  const candidates = new Set(files.map((file) => besideOf(file, tail)));
  const found = nearest(pattern, candidates);
  if (found === undefined || badGlob(found) !== undefined) return undefined;
  return (await discoverFiles(root, [found])).unmatched.length === 0 ? found : undefined;
}

/** The same pattern in the folder of a file, with the ending that the file has. */
function besideOf(file: string, tail: string): string {
  const folder = file.slice(0, file.lastIndexOf('/') + 1);
  return folder + tail.replace(/\.ya?ml$/, file.slice(file.lastIndexOf('.')));
}
