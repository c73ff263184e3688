import type { Place, SourceRange } from '@platform-sync/core/model/place-in-file';

/** The place in a catalogue file that a place in a text means which stands there as block text; undefined for other texts. */
export function inlinePlace(
  place: Place,
  { text, at }: { readonly text: string; readonly at: SourceRange },
  declared: Place,
  catalogue: string,
): Place | undefined {
  if (catalogue[at.start] !== '|') return undefined;
  const line = declared.line + place.line;
  const written = catalogue.split('\n')[line - 1]?.replace(/\r$/, '') ?? '';
  const said = text.split('\n')[place.line - 1]?.replace(/\r$/, '') ?? '';
  const indent = written.length - said.length;
  if (indent < 0 || written.slice(indent) !== said || written.slice(0, indent).trim() !== '') return undefined;
  const span = { line, column: place.column + indent };
  return { file: declared.file, ...span, ...(declared.text !== undefined && { text: written }) };
}
