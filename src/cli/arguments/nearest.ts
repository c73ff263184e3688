/** The known word that a mistyped one most likely means; undefined when none is close. */
export function nearestWord(typed: string, known: readonly string[]): string | undefined {
  let best: string | undefined;
  // A third of the letters may be wrong: more is another word.
  let bestDistance = Math.floor(Math.max(3, typed.length) / 3) + 1;
  for (const word of known) {
    const distance = editDistance(typed.toLowerCase(), word.toLowerCase());
    if (distance < bestDistance) [best, bestDistance] = [word, distance];
  }
  return best;
}

/** Inserted, removed, replaced or swapped neighbouring letters between two words. */
export function editDistance(a: string, b: string): number {
  const rows: number[][] = [Array.from({ length: b.length + 1 }, (_, at) => at)];
  const cell = (i: number, j: number): number => rows[i]?.[j] ?? 0;
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i];
    rows.push(row);
    for (let j = 1; j <= b.length; j += 1) {
      const changed = cell(i - 1, j - 1) + (a[i - 1] === b[j - 1] ? 0 : 1);
      row[j] = Math.min(cell(i - 1, j) + 1, cell(i, j - 1) + 1, changed);
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      if (swapped) row[j] = Math.min(cell(i, j), cell(i - 2, j - 2) + 1);
    }
  }
  return cell(a.length, b.length);
}
