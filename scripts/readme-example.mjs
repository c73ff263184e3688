// Runs the tour of `npm start` and pastes what really came out into README.md, between the two markers.
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { runDemo } from './demo.mjs';

const readme = fileURLToPath(new URL('../README.md', import.meta.url));
const markers = ['<!-- example run -->', '<!-- end of example run -->'];
const lines = [];
const problems = await runDemo({
  sandbox: () => undefined,
  step: (title, line) => lines.push('', `# ${title}`, ...(line === undefined ? [] : [`$ ${line}`])),
  output: (text) => lines.push(shortened(text.trimEnd())),
});
if (problems.length > 0) throw new Error(problems.join('\n'));

const text = readFileSync(readme, 'utf8');
const [start, end] = markers.map((marker) => text.indexOf(marker));
if (start < 0 || end < start) throw new Error('README.md has lost its markers');
const block = `${markers[0]}\n\n\`\`\`console${lines.join('\n').replace(/^\n?/, '\n')}\n\`\`\`\n\n`;
writeFileSync(readme, text.slice(0, start) + block + text.slice(end));

/** What changes from run to run (ports, ids, times) is made the same; a long plan is cut in the middle. */
function shortened(output) {
  const steady = output
    .replaceAll(/127\.0\.0\.1:\d+/g, '127.0.0.1:8080')
    .replaceAll(/\d+ ms/g, '12 ms')
    .replaceAll(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, (id) => `${id.slice(0, 8)}-…`);
  const all = steady.split('\n');
  if (all.length <= 45) return steady;
  return [...all.slice(0, 28), '    … (shortened here)', ...all.slice(-8)].join('\n');
}
