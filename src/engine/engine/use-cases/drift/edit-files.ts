import { addTo } from '@platform-sync/core/model/graph';
import { withBody, withMatter, type MatterEdit } from '@platform-sync/catalogue/edit/page';
import type { EditableFile } from '@platform-sync/catalogue/edit/properties';
import type { TextEdit } from '@platform-sync/catalogue/edit/text';
import type { Acceptance } from '../../drift/acceptance.js';
import { saidIn, saidInOverlay } from '../../drift/places-to-edit.js';
import type { Finding } from '@platform-sync/core/model/drift';
import type { SourceRange } from '@platform-sync/core/model/place-in-file';
import type { ProjectTexts } from '../project-texts.js';
import { editAt, type Edit, type EditContext } from './edit-place.js';

/** Writes accepted values into the files that say them; those that can't be written, with a clause that says why. */
export function editFiles(context: EditContext, wanted: readonly Acceptance[]): Map<Finding, string> {
  const skipped = new Map<Finding, string>();
  const later = new LaterEdits();
  // One property of a resource at a time: two edits of one block could meet at the same place.
  for (const round of roundsOf(wanted)) editBlocks(context, round, later, skipped);
  later.write(context.texts);
  return skipped;
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

/** Writes what stands in blocks of catalogue files; a value that can't be written at one of its places is at none. */
function editBlocks(
  context: EditContext,
  round: readonly Acceptance[],
  later: LaterEdits,
  skipped: Map<Finding, string>,
): void {
  const editables = new Map<string, EditableFile | undefined>();
  const edits = new Map<string, TextEdit[]>();
  for (const one of round) {
    const places = context.into === undefined ? saidIn(one) : saidInOverlay(one, context.into);
    const parts = places.map((said) => editAt(context, one, said, editables));
    const fixed = parts.find((part) => part.kind === 'fixed');
    if (fixed !== undefined) {
      skipped.set(one.finding, fixed.why);
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
