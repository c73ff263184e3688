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
/** What files want done before their first test and after their last one, by file. */
let befores = new Map();
let afters = [];

export function start() {
  tests = new Map();
  befores = new Map();
  return tests;
}

/** Does what the files loaded so far want done after their tests. */
export async function end() {
  const all = afters;
  afters = [];
  for (const run of all) await run();
}

export function beforeAll(run) {
  befores.set(file, [...(befores.get(file) ?? []), run]);
}

export function afterAll(run) {
  afters.push(run);
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
  const [own, hooks] = [file, befores];
  const whole = async () => {
    const first = hooks.get(own) ?? [];
    hooks.delete(own);
    for (const before of first) await before();
    await run();
  };
  tests.set(id, { id, name: full, file, run: whole });
}

it.each = (rows) => (name, run) => {
  for (const row of rows) {
    const values = Array.isArray(row) ? row : [row];
    it(format(name, ...values.slice(0, name.match(/%[a-z]/g)?.length ?? 0)), () => run(...values));
  }
};

export const test = it;
