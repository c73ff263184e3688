import { mostLevels } from '@platform-sync/core/model/read-json';
import type { SourceRange } from '@platform-sync/core/model/diagnostic';
import type { BuildContext } from './build-context.js';
import type { CatalogueCode } from '@platform-sync/core/generated/codes';
import { type DataParsed, type Overlaid, type OverlayFault, rangeIn } from './data-files.js';
import type { TextRead } from './text-file.js';

type Failed<T> = Exclude<T, { readonly ok: true }>;

const failures: Readonly<Record<Failed<DataParsed>['why'], readonly [CatalogueCode, string, string?]>> = {
  missing: ['file-not-found', 'does not exist', 'Paths are relative to the file that names them.'],
  unreadable: ['file-not-readable', "can't be read"],
  outside: ['file-outside-project', 'lies outside the project folder', 'Copy the file into the project.'],
  'outside-link': [
    'file-outside-project',
    'leads out of the project folder through a symbolic link',
    'Copy the file into the project.',
  ],
  'no-data': [
    'file-no-data',
    'is never read: it belongs to git, to this program, or holds variables',
    'Copy the part that you need into another file.',
  ],
  'too-large': ['file-too-large', 'is larger than 32 MiB', 'Split it into several files.'],
  'not-utf8': ['not-utf8', 'is not UTF-8 text', 'Save it as UTF-8.'],
  'not-yaml': [
    'file-not-yaml',
    'is not one document of YAML or JSON, so no part of it can be read',
    'Leave out the "#" and what follows to take its text.',
  ],
  'too-deep': [
    'nesting-too-deep',
    `holds values that are nested more than ${String(mostLevels.foreign)} levels deep`,
    'A program probably wrote this file. Without the "#" and what follows you get its text.',
  ],
};

/** Reports at `at` why a file that is named there can't be used. */
export function reportFailure(
  file: string,
  { why }: Failed<DataParsed>,
  at: SourceRange,
  { problems }: BuildContext,
): void {
  const [code, sentence, hint] = failures[why];
  problems.add(code, at, `${file} ${sentence}.`, { hint });
}

/** Reports a file found by the project's patterns at its own place. */
export function reportUnreadable(file: string, failed: Failed<TextRead>, context: BuildContext): void {
  const notText = failed.why === 'not-utf8';
  if (notText) {
    context.sources.add(file, failed.text);
    // Bytes that are no text don't belong on a terminal.
    context.sources.hideFile(file);
  }
  const start = notText ? failed.offset : 0;
  reportFailure(file, failed, { file, start, end: start }, context);
}

/** Nothing to read; of a picture, a data URL without data. */
export function isEmptyText(text: string): boolean {
  return text.trim() === '' || (text.length < 100 && /^data:[^,]*,$/.test(text));
}

/** A warning: an empty text may be meant, and is mostly a file that was never saved. */
export function reportEmpty(
  file: string,
  at: SourceRange,
  { problems }: Pick<BuildContext, 'problems'>,
  hint = 'Write the file, or take out what reads it.',
): void {
  problems.add('empty-file', at, `${file} is empty.`, {
    severity: 'warning',
    hint,
  });
}

/** Reports what is wrong with overlays, in their files; true when there is a specification all the same. */
export function reportOverlay(found: Overlaid | OverlayFault, context: BuildContext): found is Overlaid {
  if (!('idle' in found)) {
    context.problems.add('bad-overlay', overlayPlace(found, context), `${found.file} ${found.what}.`, {
      hint: found.hint,
    });
    return false;
  }
  for (const each of found.idle)
    context.problems.add('idle-overlay', overlayPlace(each, context), `${each.file} ${each.what}.`, {
      severity: 'warning',
      hint: 'Correct the target, or remove the action.',
    });
  return true;
}

function overlayPlace({ file, path, offset = 0 }: OverlayFault, { sources, data }: BuildContext): SourceRange {
  const read = data.text(file, file);
  if (!read.ok) return { file, start: 0, end: 0 };
  sources.add(file, read.text);
  return path.length === 0 ? { file, start: offset, end: offset } : rangeIn(file, read.text, path);
}
