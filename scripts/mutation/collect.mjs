// What a test file imports as `vitest` while mutants are tried: it collects the tests, and whoever asks runs them.
import { format } from 'node:util';
import { JestAsymmetricMatchers, JestChaiExpect, JestExtend, chai } from '@vitest/expect';
import fc from 'fast-check';

// The same random cases for every mutant, whose life must not be a matter of luck; and none made smaller, which takes long.
fc.configureGlobal({ seed: 1, endOnFailure: true });
for (const plugin of [JestExtend, JestChaiExpect, JestAsymmetricMatchers]) chai.use(plugin);

export const expect = chai.expect;

/** Tests of the files loaded since `start`, by id: `{ id, name, file, run }`. */
let tests = new Map();
let file = '';
const suites = [];

export function start() {
  tests = new Map();
  return tests;
}

/** Says which file the tests that follow are of. */
export function from(name) {
  file = name;
}

export function describe(name, body) {
  suites.push(name);
  body();
  suites.pop();
}

export function it(name, run) {
  const full = [...suites, name].join(' ');
  // Rows of a table may have one name.
  let id = `${file}#${full}`;
  for (let again = 2; tests.has(id); again += 1) id = `${file}#${full} ${again}`;
  tests.set(id, { id, name: full, file, run });
}

it.each = (rows) => (name, run) => {
  for (const row of rows) {
    const values = Array.isArray(row) ? row : [row];
    it(format(name, ...values.slice(0, name.match(/%[a-z]/g)?.length ?? 0)), () => run(...values));
  }
};

export const test = it;
