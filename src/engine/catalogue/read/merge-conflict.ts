import type { Problems } from '../problem/problems.js';

const marks = /^(?:<{7}(?= |\r?$)|>{7}(?= |\r?$))/gm;

/** The lines of marks as they stand alone, where somebody settled a conflict and forgot one. */
const lone = /^(?:[<>|]{7}(?= |\r?$)|={7}(?=\r?$))/m;

/** Reports what git leaves in a file that two branches changed; true when there is any. For files that are no YAML. */
export function reportConflict(file: string, text: string, problems: Problems): boolean {
  const found = [...text.matchAll(marks)];
  const [first] = found;
  // One side alone may be text of somebody's.
  if (first === undefined || !['<', '>'].every((mark) => found.some(([written]) => written.startsWith(mark))))
    return false;
  reportMark(file, first, problems);
  return true;
}

/** The same in a file whose YAML is broken: one mark alone is the reason. */
export function reportLoneMark(file: string, text: string, problems: Problems): boolean {
  const found = lone.exec(text);
  if (found !== null) reportMark(file, found, problems);
  return found !== null;
}

function reportMark(file: string, mark: RegExpExecArray, problems: Problems): void {
  const at = { file, start: mark.index, end: mark.index + mark[0].length };
  problems.add('merge-conflict', at, 'A merge has left its marks in this file.', {
    hint: 'Settle the conflict: keep what is right between "<<<<<<<" and ">>>>>>>", and remove the lines of marks.',
  });
}
