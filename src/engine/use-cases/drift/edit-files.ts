import { withBody, withMatter, type MatterEdit } from '../../catalogue/edit/page.js';
import { EditableFile, type PropertyEdited } from '../../catalogue/edit/properties.js';
import type { TextEdit } from '../../catalogue/edit/text.js';
import { siblingPath } from '../../catalogue/read/text-file.js';
import { isSpecification } from '../../catalogue/sources/specification.js';
import type { Acceptance } from '../../drift/acceptable.js';
import { saidIn, type Said } from '../../drift/places-to-edit.js';
import type { Finding } from '../../model/drift.js';
import type { FileRule } from '../../model/resource-type.js';
import type { SourceRange } from '../../model/place-in-file.js';
import { sameValue } from '../../value/equality.js';
import type { ProjectTexts } from '../project-texts.js';

/** What the texts of a project are, and what files say of the types they stand for. */
export interface EditContext {
  readonly texts: ProjectTexts;
  readonly overlays: ReadonlySet<string>;
  /** How pages and specifications are read, by type token. */
  readonly fileRule: (token: string) => FileRule | undefined;
}

/** Writes accepted values into the files that say them; those that can't be written, with a clause that says why. */
export function editFiles(context: EditContext, wanted: readonly Acceptance[]): Map<Finding, string> {
  const editor = new FilesEditor(context);
  // One property of a resource at a time: two edits of one block could meet at the same place.
  for (const round of roundsOf(wanted)) editor.round(round);
  editor.writeWhole();
  return editor.skipped;
}

function roundsOf(all: readonly Acceptance[]): readonly (readonly Acceptance[])[] {
  const rounds: Acceptance[][] = [];
  const seen = new Map<string, number>();
  for (const one of all) {
    const round = seen.get(one.finding.address) ?? 0;
    seen.set(one.finding.address, round + 1);
    (rounds[round] ??= []).push(one);
  }
  return rounds;
}

/** What is to be done for one value in one file. */
type Edit =
  | { readonly kind: 'edits'; readonly file: string; readonly edits: readonly TextEdit[] }
  | { readonly kind: 'whole'; readonly file: string; readonly text: string }
  | { readonly kind: 'matter'; readonly file: string; readonly matter: MatterEdit }
  | { readonly kind: 'body'; readonly file: string; readonly at: SourceRange; readonly text: string }
  | { readonly kind: 'fixed'; readonly why: string };

interface PageEdits {
  body?: { readonly at: SourceRange; readonly text: string };
  readonly matters: MatterEdit[];
}

class FilesEditor {
  readonly skipped = new Map<Finding, string>();
  readonly #context: EditContext;
  readonly #whole = new Map<string, string>();
  readonly #pages = new Map<string, PageEdits>();

  constructor(context: EditContext) {
    this.#context = context;
  }

  round(round: readonly Acceptance[]): void {
    const editables = new Map<string, EditableFile | undefined>();
    const edits = new Map<string, TextEdit[]>();
    for (const one of round) {
      const parts = saidIn(one).map((said) => this.#edit(one, said, editables));
      const fixed = parts.find((part) => part.kind === 'fixed');
      if (fixed !== undefined) {
        this.skipped.set(one.finding, fixed.why);
        continue;
      }
      for (const part of parts) {
        if (part.kind === 'edits') edits.set(part.file, [...(edits.get(part.file) ?? []), ...part.edits]);
        else if (part.kind !== 'fixed') this.#keep(part);
      }
    }
    for (const [file, found] of edits) {
      const text = editables.get(file)?.withEdits(found);
      if (text !== undefined) this.#context.texts.write(file, text);
    }
  }

  #keep(edit: Extract<Edit, { readonly kind: 'whole' | 'matter' | 'body' }>): void {
    if (edit.kind === 'whole') return void this.#whole.set(edit.file, edit.text);
    const page = this.#pages.get(edit.file) ?? { matters: [] };
    this.#pages.set(edit.file, page);
    if (edit.kind === 'matter') page.matters.push(edit.matter);
    else page.body = edit;
  }

  /** Data files, and pages from their ends to their beginnings, so that places stay what they are. */
  writeWhole(): void {
    for (const [file, text] of this.#whole) this.#context.texts.write(file, text);
    for (const [file, { body, matters }] of this.#pages) {
      let text = this.#context.texts.read(file) ?? '';
      if (body !== undefined) text = withBody(text, body.at, body.text);
      const sorted = [...matters].sort((a, b) => placed(b) - placed(a));
      for (const matter of sorted) text = withMatter(text, matter);
      this.#context.texts.write(file, text);
    }
  }

  #edit(one: Acceptance, said: Said, editables: Map<string, EditableFile | undefined>): Edit {
    const { file } = said;
    const text = this.#context.texts.read(file);
    if (text === undefined) return { kind: 'fixed', why: `${file} can not be read` };
    if (/\.(?:md|markdown)$/i.test(file)) return this.#editPage(one, said);
    const isPatch = this.#context.overlays.has(file) && file !== one.desired.at.file;
    if (!isPatch && isSpecification(text)) return editSpecification(one, said);
    if (!editables.has(file)) editables.set(file, EditableFile.read(text));
    const edited = editables.get(file)?.edit(editOf(one, said, isPatch));
    return edited === undefined ? { kind: 'fixed', why: `${file} can not be read` } : asEdit(edited, said);
  }

  #editPage({ desired, rule }: Acceptance, { file, at, to }: Said): Edit {
    const fields = this.#context.fileRule(desired.type);
    const key = fields?.fields[rule.name];
    if (typeof to === 'string' && rule.name === fields?.body && at !== undefined)
      return { kind: 'body', file, at, text: to };
    if (typeof to === 'string' && key !== undefined) return { kind: 'matter', file, matter: { key, at, to } };
    return { kind: 'fixed', why: nowhere(desired.address, rule.name, file) };
  }
}

/** Those that stand somewhere first, from the last to the first; then those that get a line of their own. */
function placed({ at }: MatterEdit): number {
  return at !== undefined && at.end > at.start ? at.start : -1;
}

function editOf(
  { finding, rule }: Acceptance,
  { from, to }: Said,
  isPatch: boolean,
): Parameters<EditableFile['edit']>[0] {
  return {
    ...{ address: finding.address, field: rule.name, from, to, root: isPatch ? 'patches' : 'resources' },
    // Members are compared as the field does: in the place of a whole value.
    same: (a, b) => sameValue(rule, { member: a }, { member: b }),
    ordered: rule.equality !== 'set' && rule.equality !== 'multisets',
  };
}

function asEdit(edited: PropertyEdited, { file, to }: Said): Edit {
  if (edited.kind === 'edited') return { kind: 'edits', file, edits: edited.edits };
  if (edited.kind === 'fixed') return { kind: 'fixed', why: `the value ${edited.why}` };
  return { kind: 'whole', file: siblingPath(file, edited.path), text: String(to) };
}

/** The whole of a specification is a value; what its head says of the API can't change without it. */
function editSpecification({ desired, rule }: Acceptance, { file, at, to }: Said): Edit {
  if (at === undefined || typeof to !== 'string')
    return { kind: 'fixed', why: nowhere(desired.address, rule.name, file) };
  if (at.start === 0 && at.end === 0) return { kind: 'whole', file, text: to };
  const why = `the specification ${file} says it: change it there, or say ${rule.name} in a block of ${desired.address} under "resources"`;
  return { kind: 'fixed', why };
}

function nowhere(address: string, field: string, file: string): string {
  return `${file} has no place for it: say ${field} in a block of ${address} under "resources"`;
}
