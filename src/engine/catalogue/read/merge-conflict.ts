import type { Problems } from '../problem/problems.js';

const marks = /^(?:<{7}(?= |\r?$)|>{7}(?= |\r?$))/gm;

/** Reports what git leaves in a file that two branches changed; true when there is any. For files that are no YAML. */
export function reportConflict(file: string, text: string, problems: Problems): boolean {
  const found = [...text.matchAll(marks)];
  const [first] = found;
  // One side alone may be text of somebody's.
  if (first === undefined || !['<', '>'].every((mark) => found.some(([written]) => written.startsWith(mark))))
    return false;
  const at = { file, start: first.index, end: first.index + first[0].length };
  problems.add('merge-conflict', at, 'A merge has left its marks in this file.', {
    hint: 'Settle the conflict: keep what is right between "<<<<<<<" and ">>>>>>>", and remove the lines of marks.',
  });
  return true;
}
