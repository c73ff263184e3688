import { defined } from '../../model/defined.js';
import type { SourceRange } from '../../model/place-in-file.js';
import type { BuildContext } from './build-context.js';
import { mapEntries, plainText, refuseUnknownKeys, type Entries } from './shape.js';

/** A folder (or a pattern) of files, each of which stands for a resource of one type. */
export interface RawSource {
  /** As written, relative to the catalogue file. */
  readonly files: string;
  readonly at: SourceRange;
  readonly type: { readonly text: string; readonly at: SourceRange };
  /** Address under which all of it stands; left out: the folders tell. */
  readonly under?: { readonly text: string; readonly at: SourceRange };
  /** What each of them has, over what its file says. */
  readonly properties: Entries;
}

const sourceKeys = ['type', 'under', 'properties'];

/** `specs: platform:Api`, or a map with the type and more. */
export function readSources(section: Entries, context: BuildContext): RawSource[] {
  return [...section].flatMap(([files, { key: at, value }]) => {
    if (value.kind === 'literal' && typeof value.value === 'string' && value.value !== '')
      return [{ files, at, type: { text: value.value, at: value.at }, properties: new Map() }];
    const parts = mapEntries(value, `The source ${files}`, context);
    refuseUnknownKeys(parts, sourceKeys, 'A source', context);
    const text = (name: string): { readonly text: string; readonly at: SourceRange } | undefined => {
      const entry = parts.get(name);
      const found = entry && plainText(entry.value, `"${name}" of ${files}`, context);
      return entry === undefined || found === undefined ? undefined : { text: found, at: entry.value.at };
    };
    const [type, under, properties] = [text('type'), text('under'), parts.get('properties')];
    if (!parts.has('type') && value.kind !== 'list') reportNoType(files, at, context);
    if (type === undefined) return [];
    const given = properties && mapEntries(properties.value, `"properties" of ${files}`, context);
    return [{ files, at, type, ...defined({ under }), properties: given ?? new Map() }];
  });
}

function reportNoType(files: string, at: SourceRange, { problems }: BuildContext): void {
  problems.add('missing-type', at, `The source ${files} does not say what its files stand for.`, {
    hint: `Give it a type: {${files}: platform:Api}`,
  });
}
