/** A parser that recurses is given nothing deeper: near the end of its stack even a pattern can't be compiled any more. */
export const mostYamlLevels = 1000;

/** False when values can't be nested deeper in the text, whatever it holds; one pass, no parser. */
export function mayBeDeeper(text: string, most: number = mostYamlLevels): boolean {
  // Each level takes a sign.
  if (text.length <= most) return false;
  let open = 0;
  let lead = 0;
  let isLeading = true;
  for (let at = 0; at < text.length; at += 1) {
    const sign = text[at] ?? '';
    if (sign === '\n') [lead, isLeading] = [0, true];
    else if (isLeading && ' -?:\t'.includes(sign)) lead += 1;
    else isLeading = false;
    if (sign === '[' || sign === '{') open += 1;
    else if (sign === ']' || sign === '}') open = Math.max(0, open - 1);
    // A level of a block is a column to the right, or a list in the column of its key.
    if (open + 2 * (lead + 1) > most) return true;
  }
  return false;
}
