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
/** What files want done around their tests, by file: before and after each, before the first, after all. */
let hooks = new Map();
/** What those whose tests were run want done when all is over. */
let endings = [];
/** What the running test wants done after it. */
let finishers = [];

export function start() {
  tests = new Map();
  hooks = new Map();
  return tests;
}

export async function end() {
  const all = endings;
  endings = [];
  await inTurn(all);
}

function hooksOf(name) {
  const known = hooks.get(name) ?? { first: [], before: [], after: [], last: [] };
  hooks.set(name, known);
  return known;
}

async function inTurn(all) {
  for (const run of all) await run();
}

export const beforeAll = (run) => void hooksOf(file).first.push(run);
export const beforeEach = (run) => void hooksOf(file).before.push(run);
export const afterEach = (run) => void hooksOf(file).after.push(run);
export const afterAll = (run) => void hooksOf(file).last.push(run);
export const onTestFinished = (run) => void finishers.push(run);

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
  const own = hooksOf(file);
  const whole = async () => {
    endings.push(...own.last.splice(0));
    await inTurn(own.first.splice(0));
    try {
      await inTurn(own.before);
      await run();
    } finally {
      await inTurn([...own.after, ...finishers.splice(0)]);
    }
  };
  tests.set(id, { id, name: full, file, run: whole });
}

const each = (one) => (rows) => (name, run) => {
  for (const row of rows) {
    const values = Array.isArray(row) ? row : [row];
    one(format(name, ...values.slice(0, name.match(/%[a-z]/g)?.length ?? 0)), () => run(...values));
  }
};
it.each = each(it);
describe.each = each(describe);

export const test = it;

const { now } = performance;

/** A clock that stands until it is put forward; the only fake that the tests loaded here want. */
export const vi = {
  useFakeTimers() {
    const stands = { at: 0 };
    performance.now = () => stands.at;
    vi.advanceTimersByTime = (ms) => (stands.at += ms);
  },
  useRealTimers() {
    performance.now = now;
  },
};
