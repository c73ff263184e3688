/**
 * A table of many rows that each walk a world: `npm run soak` has all of them, other runs each `every`th, from another one on
 * for each `turn`, so that several tables that cross each other leave no row and no column out.
 */
export function partOf<Row>(rows: readonly Row[], every: number, turn = 0): Row[] {
  if (process.env['SYNC_WHOLE_TABLES'] !== undefined) return [...rows];
  return rows.filter((_row, index) => index % every === turn % every);
}
