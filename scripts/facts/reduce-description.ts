import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { reducedDescription } from './reduced-description.js';

/**
 *     tsx scripts/facts/reduce-description.ts DESCRIPTION [ADDED] > schemas/descriptions/NAME.json
 *     tsx scripts/facts/reduce-description.ts DESCRIPTION --named RULES > schemas/descriptions/NAME.json
 */
const [description = '', ...more] = process.argv.slice(2);
const read = (path: string): string => readFileSync(path, 'utf8');
const [added, named] = more[0] === '--named' ? [undefined, more[1]] : more;
const rules = named === undefined ? {} : (parse(read(named)) as { readonly names?: object });
process.stdout.write(
  reducedDescription(
    read(description),
    added === undefined ? undefined : read(added),
    rules.names && Object.keys(rules.names),
  ),
);
