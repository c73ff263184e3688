import { readFileSync } from 'node:fs';
import { reducedDescription } from './reduced-description.js';

/**
 *     tsx scripts/facts/reduce-description.ts DESCRIPTION [ADDED] > schemas/descriptions/NAME.json
 */
const [description = '', added] = process.argv.slice(2).map((path) => readFileSync(path, 'utf8'));
process.stdout.write(reducedDescription(description, added));
