import { platformPackage } from '@platform-sync/platform/package';
import { restOf } from '../../test/derived/edit.js';
import { depthOf, subjects } from './depth.js';

/**
 * How much of what descriptions say of values our definitions carry: a line a subject, and with `--types` one a type, with
 * `--missing` one for each place that is left out.
 *
 *     tsx scripts/facts/depth-table.ts [--types] [--missing]
 */
const depths = depthOf([...platformPackage.types.values()].map((type) => ({ type, rest: restOf(type) })));
const [showTypes, showMissing] = ['--types', '--missing'].map((flag) => process.argv.includes(flag));

for (const subject of subjects) {
  const carried = depths.reduce((sum, { counts }) => sum + counts[subject].carried, 0);
  const said = depths.reduce((sum, { counts }) => sum + counts[subject].said, 0);
  console.log(`${subject}: ${String(carried)} of ${String(said)} (${((100 * carried) / said).toFixed(1)} %)`);
}
if (showTypes === true)
  for (const { type, counts } of depths) {
    const parts = subjects.map(
      (subject) => `${subject} ${String(counts[subject].carried)}/${String(counts[subject].said)}`,
    );
    console.log(`${type}: ${parts.join(', ')}`);
  }
if (showMissing === true) for (const { missing } of depths) for (const line of missing) console.log(line);
