// The least that `show` can be: the plan is read and parsed, its checksum computed, every step written.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';

const text = readFileSync('plan.json', 'utf8');
const { steps } = JSON.parse(text);
createHash('sha256').update(text).digest('hex');
process.stdout.write(steps.map((step) => `${JSON.stringify(step)}\n`).join(''));
