// .mutation/report.md, out of the reports of `npm run mutation`: node scripts/mutation/report.mjs
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { format, resolveConfig } from 'prettier';
import { globSync } from 'tinyglobby';
import { argumentFor } from './survivors.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
const page = `${root}.mutation/report.md`;
/** Of each file the last report that has it: a whole run, or runs of some files. */
const reports = globSync('.mutation/*.json', { cwd: root, absolute: true });
const inTime = reports.sort((a, b) => statSync(a).mtimeMs - statSync(b).mtimeMs);
const files = Object.assign({}, ...inTime.map((report) => JSON.parse(readFileSync(report, 'utf8')).files));

/** Files that are not what was tried: their figures say nothing. */
const changed = Object.keys(files).filter((file) => readFileSync(`${root}${file}`, 'utf8') !== files[file].source);
if (changed.length > 0) throw new Error(`try these again, they have changed: ${changed.join(',')}`);

/** Mutants that stand for a fault of their own: one that can't even be loaded or is switched off counts for nothing. */
const counted = ({ status }) => ['Killed', 'Timeout', 'Survived', 'NoCoverage'].includes(status);
const isDead = ({ status }) => status === 'Killed' || status === 'Timeout';

const all = Object.entries(files).flatMap(([file, { mutants, source }]) =>
  mutants.filter(counted).map((mutant) => ({
    ...{ file, ...mutant, original: textAt(source, mutant.location) },
    line: source.split('\n')[mutant.location.start.line - 1].trim(),
  })),
);

function textAt(source, { start, end }) {
  const lines = source.split('\n').slice(start.line - 1, end.line);
  lines[lines.length - 1] = lines.at(-1).slice(0, end.column - 1);
  lines[0] = lines[0].slice(start.column - 1);
  return lines.join(' ').replace(/\s+/g, ' ');
}

const room = ({ file }) => file.split('/').slice(0, 3).join('/');
const groups = (items, key) =>
  [...new Set(items.map(key))].sort().map((name) => [name, items.filter((item) => key(item) === name)]);
const percent = (mutants) => ((100 * mutants.filter(isDead).length) / mutants.length).toFixed(1);
const row = (cells) => `| ${cells.join(' | ')} |`;
const figures = (rows) => rows.map(([name, mutants]) => row([`\`${name}\``, mutants.length, `${percent(mutants)} %`]));
const code = (text) =>
  `\`${text.slice(0, 70).replaceAll('|', '\\|').replaceAll('`', "'")}${text.length > 70 ? '…' : ''}\``;

const survivors = all.filter((mutant) => !isDead(mutant));
const argued = groups(survivors, (mutant) => argumentFor(mutant));

const text = `# Mutation tests

\`npm run mutation\` changes the engine in one place at a time (a mutant) and sees whether a test notices. It tries the planner
(\`engine/plan\`) and what a value is (\`engine/value\`) in full, and of \`engine/apply\` and \`engine/refresh\` 300 mutants that a
seed draws (\`SYNC_MUTATION_SEED\`, 1 unless told; \`scripts/mutation/sample.mjs\`). A score below 90 % fails it. Only tests that
need no other process try mutants, all loaded once (\`scripts/mutation/runner.mjs\`), so that a mutant costs milliseconds, and all of
them some twenty minutes. One file alone: \`npm run mutation -- --mutate src/engine/engine/plan/guards/guard.ts\`. This page is
\`node scripts/mutation/report.mjs\` over the last report of each file; a room without a row was not tried since its sources
changed.

${[row(['room', 'mutants', 'killed']), row(['---', '---:', '---:']), ...figures(groups(all, room))].join('\n')}

## What survives, and why

Each survivor is in a group that says why it may live. Groups are told apart by rules over what a mutant changes
(\`scripts/mutation/survivors.mjs\`): they argue for a kind of change, and are no proof of each row.

${argued
  .map(([why, mutants]) =>
    [
      `### ${why} (${mutants.length})\n`,
      row(['where', 'instead of', 'survives']),
      row(['---', '---', '---']),
      ...mutants.map(({ file, location, original, replacement }) =>
        row([
          `${file.replace('src/engine/', '')}:${location.start.line}`,
          code(original),
          code((replacement ?? '').replace(/\s+/g, ' ')),
        ]),
      ),
    ].join('\n'),
  )
  .join('\n\n')}

## By file

${[row(['file', 'mutants', 'killed']), row(['---', '---:', '---:']), ...figures(groups(all, ({ file }) => file.replace('src/engine/', '')))].join('\n')}
`;
writeFileSync(page, await format(text, { ...(await resolveConfig(page)), parser: 'markdown' }));
console.log(`${percent(all)} % of ${all.length}; ${survivors.length} survive`);
