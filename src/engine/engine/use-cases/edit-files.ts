import { addTo } from '@platform-sync/core/model/graph';
import { type MatterEdit, withBody, withMatter } from '@platform-sync/catalogue/edit/page';
import { plainText } from '@platform-sync/catalogue/edit/template';
import { EditableFile, type PropertyEdited } from '@platform-sync/catalogue/edit/properties';
import type { TextEdit } from '@platform-sync/catalogue/edit/text';
import { type CatalogueChange, type Said, saidIn, saidInOverlay } from '../drift/places-to-edit.js';
import type { SourceRange } from '@platform-sync/core/model/diagnostic';
import type { ProjectTexts } from './project-texts.js';
import { isSpecificationOverlay } from '@platform-sync/catalogue/read/data-files';
import { isSpecification, siblingPath } from '@platform-sync/catalogue/read/file-texts';
import { sameJson } from '@platform-sync/core/model/canonical';
import { defined } from '@platform-sync/core/model/value';
import type { FileRule } from '@platform-sync/core/model/resource-type';
import { sameValue } from '@platform-sync/core/value/equality';

/** Writes values into the files that say them; gives those that can't be written, with a clause that says why. */
export function editFiles<Change extends CatalogueChange>(
  context: EditContext,
  wanted: readonly Change[],
): Map<Change, string> {
  const skipped = new Map<Change, string>();
  const later = new LaterEdits();
  // One property of a resource at a time: two edits of one block could meet at the same place.
  for (const round of roundsOf(wanted)) editBlocks(context, round, later, skipped);
  later.write(context.texts);
  return skipped;
}

function roundsOf<Change extends CatalogueChange>(all: readonly Change[]): readonly (readonly Change[])[] {
  const rounds: Change[][] = [];
  const seen = new Map<string, number>();
  for (const one of all) {
    const round = seen.get(one.desired.address) ?? 0;
    seen.set(one.desired.address, round + 1);
    (rounds[round] ??= []).push(one);
  }
  return rounds;
}

/** Writes what stands in blocks of catalogue files; a value that can't be written at one of its places is at none. */
function editBlocks<Change extends CatalogueChange>(
  context: EditContext,
  round: readonly Change[],
  later: LaterEdits,
  skipped: Map<Change, string>,
): void {
  const editables = new Map<string, EditableFile | undefined>();
  const edits = new Map<string, TextEdit[]>();
  for (const one of round) {
    const places = context.into === undefined ? saidIn(one) : saidInOverlay(one, context.into);
    const parts = places.map((said) => editAt(context, one, said, editables));
    const fixed = parts.find((part) => part.kind === 'fixed');
    if (fixed !== undefined) {
      skipped.set(one, fixed.why);
      continue;
    }
    for (const part of parts) {
      if (part.kind === 'edits') for (const edit of part.edits) addTo(edits, part.file, edit);
      else if (part.kind !== 'fixed') later.add(part);
    }
  }
  for (const [file, found] of edits) {
    const text = editables.get(file)?.withEdits(found);
    if (text !== undefined) context.texts.write(file, text);
  }
}

interface PageEdits {
  body?: { readonly at: SourceRange; readonly text: string };
  readonly matters: MatterEdit[];
}

/** Data files and pages, each of which is written once, after all blocks. */
class LaterEdits {
  readonly #whole = new Map<string, string>();
  readonly #pages = new Map<string, PageEdits>();

  add(edit: Extract<Edit, { readonly kind: 'whole' | 'matter' | 'body' }>): void {
    if (edit.kind === 'whole') return void this.#whole.set(edit.file, edit.text);
    const page = this.#pages.get(edit.file) ?? { matters: [] };
    this.#pages.set(edit.file, page);
    if (edit.kind === 'matter') page.matters.push(edit.matter);
    else page.body = edit;
  }

  /** Pages from their ends to their beginnings, so that places stay what they are. */
  write(texts: ProjectTexts): void {
    for (const [file, text] of this.#whole) texts.write(file, text);
    for (const [file, { body, matters }] of this.#pages) {
      let text = texts.read(file) ?? '';
      if (body !== undefined) text = withBody(text, body.at, body.text);
      const sorted = [...matters].sort((a, b) => placed(b) - placed(a));
      for (const matter of sorted) text = withMatter(text, matter);
      texts.write(file, text);
    }
  }
}

/** Those that stand somewhere first, from the last to the first; then those that get a line of their own. */
function placed({ at }: MatterEdit): number {
  return at !== undefined && at.end > at.start ? at.start : -1;
}

/** What the texts of a project are, and what files say of the types they stand for. */
interface EditContext {
  readonly texts: ProjectTexts;
  readonly overlays: ReadonlySet<string>;
  /** The one that says all that is accepted. */
  readonly into?: string | undefined;
  /** How pages and specifications are read, by type token. */
  readonly fileRule: (token: string) => FileRule | undefined;
}

/** What is to be done for one value in one file. */
type Edit =
  | { readonly kind: 'edits'; readonly file: string; readonly edits: readonly TextEdit[] }
  | { readonly kind: 'whole'; readonly file: string; readonly text: string }
  | { readonly kind: 'matter'; readonly file: string; readonly matter: MatterEdit }
  | { readonly kind: 'body'; readonly file: string; readonly at: SourceRange; readonly text: string }
  | { readonly kind: 'fixed'; readonly why: string };

/** What an accepted value takes at one place that says it. `editables`: catalogue files that were taken apart already. */
function editAt(
  { texts, overlays, fileRule, into }: EditContext,
  one: CatalogueChange,
  said: Said,
  editables: Map<string, EditableFile | undefined>,
): Edit {
  const { file } = said;
  const text = texts.read(file);
  if (text === undefined) return { kind: 'fixed', why: `${file} cannot be read` };
  if (/\.(?:md|markdown)$/i.test(file)) return editPage(one, said, fileRule(one.desired.type));
  const isPatch = overlays.has(file) && file !== one.desired.at.file;
  if (isSpecificationOverlay(text)) return overlaidBy(file);
  if (!isPatch && isSpecification(text)) return editSpecification(one, said);
  if (!editables.has(file)) editables.set(file, EditableFile.read(text));
  const edited = editables.get(file)?.edit({ ...editOf(one, said, isPatch), mayPatch: file === into });
  if (edited === undefined) return { kind: 'fixed', why: `${file} cannot be read` };
  const edit = asEdit(edited, one, said);
  return edit.kind === 'whole' && isSpecificationOverlay(texts.read(edit.file) ?? '') ? overlaidBy(edit.file) : edit;
}

/** What overlays make of a specification can't be written back into it. */
function overlaidBy(file: string): Edit {
  return { kind: 'fixed', why: `the overlay ${file} is part of it: change it, or the specification, by hand` };
}

function editPage(one: CatalogueChange, said: Said, page: FileRule | undefined): Edit {
  const { file, at } = said;
  const [key, text] = [page?.fields[one.field], wholeText(one, said)];
  if (text !== undefined && one.field === page?.body && at !== undefined) return { kind: 'body', file, at, text };
  if (text !== undefined && key !== undefined) return { kind: 'matter', file, matter: { key, at, to: text } };
  return { kind: 'fixed', why: nowhere(one.desired.address, one.field, file) };
}

/** What a file that is no catalogue file is to say. */
function wholeText({ isTemplate }: CatalogueChange, { to }: Said): string | undefined {
  if (isTemplate === true) return plainText(to);
  return typeof to === 'string' ? to : undefined;
}

function editOf(
  { desired, field, rule, reference, isTemplate }: CatalogueChange,
  { from, to }: Said,
  isPatch: boolean,
): Parameters<EditableFile['edit']>[0] {
  return {
    ...{ address: desired.address, field, from, to, root: isPatch ? 'patches' : 'resources' },
    ...(rule === undefined ? { section: 'options' } : {}),
    // Members are compared as the field does: in the place of a whole value.
    same: rule === undefined ? sameJson : (a, b) => sameValue(rule, { member: a }, { member: b }),
    ordered: rule?.equality !== 'set' && rule?.equality !== 'multisets',
    ...defined({ reference, isTemplate }),
  };
}

function asEdit(edited: PropertyEdited, one: CatalogueChange, said: Said): Edit {
  const { file } = said;
  if (edited.kind === 'edited') return { kind: 'edits', file, edits: edited.edits };
  if (edited.kind === 'fixed') return { kind: 'fixed', why: `the value ${edited.why}` };
  const text = wholeText(one, said);
  if (text === undefined) return { kind: 'fixed', why: 'the value comes from a file' };
  return { kind: 'whole', file: siblingPath(file, edited.path), text };
}

/** The whole of a specification is a value; what its head says of the API can't change without it. */
function editSpecification(one: CatalogueChange, said: Said): Edit {
  const { desired, field } = one;
  const { file, at } = said;
  const text = wholeText(one, said);
  if (at === undefined || text === undefined) return { kind: 'fixed', why: nowhere(desired.address, field, file) };
  if (at.start === 0 && at.end === 0) return { kind: 'whole', file, text };
  const why = `the specification ${file} says it: change it there, or say ${field} in a block of ${desired.address} under "resources"`;
  return { kind: 'fixed', why };
}

function nowhere(address: string, field: string, file: string): string {
  return `${file} has no place for it: say ${field} in a block of ${address} under "resources"`;
}
