import type { MatterEdit } from '@platform-sync/catalogue/edit/page';
import { EditableFile, type PropertyEdited } from '@platform-sync/catalogue/edit/properties';
import type { TextEdit } from '@platform-sync/catalogue/edit/text';
import { siblingPath } from '@platform-sync/catalogue/read/text-file';
import { isSpecification } from '@platform-sync/catalogue/sources/specification';
import type { Acceptance } from '../../drift/acceptance.js';
import type { Said } from '../../drift/places-to-edit.js';
import { defined } from '@platform-sync/core/model/defined';
import type { SourceRange } from '@platform-sync/core/model/place-in-file';
import type { FileRule } from '@platform-sync/core/model/resource-type';
import { sameValue } from '@platform-sync/core/value/equality';
import type { ProjectTexts } from '../project-texts.js';

/** What the texts of a project are, and what files say of the types they stand for. */
export interface EditContext {
  readonly texts: ProjectTexts;
  readonly overlays: ReadonlySet<string>;
  /** How pages and specifications are read, by type token. */
  readonly fileRule: (token: string) => FileRule | undefined;
}

/** What is to be done for one value in one file. */
export type Edit =
  | { readonly kind: 'edits'; readonly file: string; readonly edits: readonly TextEdit[] }
  | { readonly kind: 'whole'; readonly file: string; readonly text: string }
  | { readonly kind: 'matter'; readonly file: string; readonly matter: MatterEdit }
  | { readonly kind: 'body'; readonly file: string; readonly at: SourceRange; readonly text: string }
  | { readonly kind: 'fixed'; readonly why: string };

/** What an accepted value takes at one place that says it. `editables`: catalogue files that were taken apart already. */
export function editAt(
  { texts, overlays, fileRule }: EditContext,
  one: Acceptance,
  said: Said,
  editables: Map<string, EditableFile | undefined>,
): Edit {
  const { file } = said;
  const text = texts.read(file);
  if (text === undefined) return { kind: 'fixed', why: `${file} cannot be read` };
  if (/\.(?:md|markdown)$/i.test(file)) return editPage(one, said, fileRule(one.desired.type));
  const isPatch = overlays.has(file) && file !== one.desired.at.file;
  if (!isPatch && isSpecification(text)) return editSpecification(one, said);
  if (!editables.has(file)) editables.set(file, EditableFile.read(text));
  const edited = editables.get(file)?.edit(editOf(one, said, isPatch));
  return edited === undefined ? { kind: 'fixed', why: `${file} cannot be read` } : asEdit(edited, said);
}

function editPage({ desired, rule }: Acceptance, { file, at, to }: Said, page: FileRule | undefined): Edit {
  const key = page?.fields[rule.name];
  if (typeof to === 'string' && rule.name === page?.body && at !== undefined)
    return { kind: 'body', file, at, text: to };
  if (typeof to === 'string' && key !== undefined) return { kind: 'matter', file, matter: { key, at, to } };
  return { kind: 'fixed', why: nowhere(desired.address, rule.name, file) };
}

function editOf(
  { finding, rule, reference }: Acceptance,
  { from, to }: Said,
  isPatch: boolean,
): Parameters<EditableFile['edit']>[0] {
  return {
    ...{ address: finding.address, field: rule.name, from, to, root: isPatch ? 'patches' : 'resources' },
    // Members are compared as the field does: in the place of a whole value.
    same: (a, b) => sameValue(rule, { member: a }, { member: b }),
    ordered: rule.equality !== 'set' && rule.equality !== 'multisets',
    ...defined({ reference }),
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
