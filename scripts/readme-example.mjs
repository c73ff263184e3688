// Runs the tour of `npm start` and pastes what really came out into README.md, between the two markers. `--check [PROGRAM]`: fails
// when what came out is not what stands there.
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { runDemo } from './demo.mjs';

const readme = fileURLToPath(new URL('../README.md', import.meta.url));
const markers = ['<!-- example run -->', '<!-- end of example run -->'];
const lines = [];
const [mode, program] = process.argv.slice(2);
const narrate = {
  sandbox: () => undefined,
  step: (title, line) => lines.push('', `# ${title}`, ...(line === undefined ? [] : [`$ ${line}`])),
  output: (text) => lines.push(...steady(text).split('\n')),
};
const problems = await runDemo(narrate, program);
if (problems.length > 0) throw new Error(problems.join('\n'));

const text = readFileSync(readme, 'utf8');
const [start, end] = markers.map((marker) => text.indexOf(marker));
if (start < 0 || end < start) throw new Error('README.md has lost its markers');
const notRun = '<!-- not run: printed by `npm start`, put here by scripts/readme-example.mjs -->';
const block = `${markers[0]}\n\n${notRun}\n\n\`\`\`console\n${lines.slice(1).join('\n')}\n\`\`\`\n\n`;
if (mode !== '--check') writeFileSync(readme, text.slice(0, start) + block + text.slice(end));
else if (comparable(text.slice(start, end)) !== comparable(block)) {
  console.error(`README.md shows another session than this one; node scripts/readme-example.mjs writes it:\n${block}`);
  process.exit(1);
}

/** What changes from run to run (ports, ids, times) is made the same. */
function steady(output) {
  return output
    .replaceAll(/127\.0\.0\.1:\d+/g, '127.0.0.1:8080')
    .replaceAll(/\d+ ms/g, '12 ms')
    .replaceAll(/\d{4}-\d\d-\d\d \d\d:\d\d UTC/g, '2026-03-02 09:30 UTC')
    .replaceAll(/[0-9a-f]{8}-[0-9a-f]{3}(?=\.portal)/g, '6583f399-3fb')
    .replaceAll(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, (id) => `${id.slice(0, 8)}-…`);
}

/** Ids are new each time, so are the effects of what has them or another port, and what is done at the same time is told in any order. */
function comparable(block) {
  const known = block.replaceAll(/[0-9a-f]{8}-…|(?<=^Effect )[0-9a-f]{12}$/gm, '…').split('\n');
  const isDone = (line) => /^ *done /.test(line);
  return [...known.filter((line) => !isDone(line)), ...known.filter(isDone).sort()].join('\n');
}
