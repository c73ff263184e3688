// A test runner for Stryker that holds all tests in memory: a mutant is a switch in the loaded code, so trying it costs
// only the tests that reach it. (Its runner for vitest loads every file again for each of thousands of mutants.)
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { PluginKind, declareClassPlugin } from '@stryker-mutator/api/plugin';
import { DryRunStatus, MutantRunStatus, TestStatus } from '@stryker-mutator/api/test-runner';
import { build } from 'esbuild';
import { globSync } from 'tinyglobby';
import { sourceAliases } from '../workspaces.mjs';
import * as collector from './collect.mjs';

/**
 * What is loaded: tables and random cases in memory, and whole worlds on a paper platform at last. SYNC_MUTATION_TESTS names fewer:
 * the planner's own (`test/engine/plan/*.test.ts`) kill nearly what all do, in a tenth of the time.
 */
const tests = {
  files: process.env.SYNC_MUTATION_TESTS?.split(',') ?? [
    'test/engine/{plan,value,refresh,apply}/*.test.ts',
    // Its errors are told by their class, and a bundle of its own has other classes; so are those of the law of the head start.
    '!test/engine/apply/carried-deletes.test.ts',
    'test/engine/model/canonical.test.ts',
    'test/laws/{matching,operation-order,rings,unmoved,worlds-with-options}.test.ts',
  ],
  bundle: 'mutation-tests.generated.mjs',
};
const times = 'mutation-times.json';
const collectorPath = new URL('collect.mjs', import.meta.url).href;
/** Enough for the random tests to reach everything, a part of what the test suite tries; whole worlds take longer. */
const runsOf = (file) => (file.includes('/laws/') ? '8' : '60');
/** Types of the platform: no mutant is in them, and they are large. */
const providers = { source: 'src/providers/platform/package.ts', bundle: 'mutation-types.generated.mjs' };

/** What instrumented code reads and writes. */
const stryker = (globalThis.__stryker__ ??= {});

class InMemoryRunner {
  static inject = [];
  /** @type {Map<string, { id: string, name: string, file: string, run: () => unknown }> | undefined} */
  #tests;
  /** How long each test took without a mutant, by id: the quick ones are tried first. */
  #ms = new Map();
  #loads = 0;

  capabilities() {
    return { reloadEnvironment: true };
  }

  async init() {
    // A runner that takes the place of one that hung finds its tests bundled, and how long each takes.
    if (existsSync(times)) this.#ms = new Map(Object.entries(JSON.parse(readFileSync(times, 'utf8'))));
    if (existsSync(tests.bundle)) return;
    await bundled({ entryPoints: [providers.source], outfile: providers.bundle });
    await bundleTests();
  }

  async dryRun() {
    stryker.activeMutant = undefined;
    stryker.mutantCoverage = { static: {}, perTest: {} };
    const loaded = await this.#load();
    const results = [];
    for (const test of loaded.values()) {
      stryker.currentTestId = test.id;
      const started = performance.now();
      const failureMessage = await failureOf(test);
      stryker.currentTestId = undefined;
      const { id, name, file: fileName } = test;
      const timeSpentMs = performance.now() - started;
      this.#ms.set(id, timeSpentMs);
      const status = failureMessage === undefined ? TestStatus.Success : TestStatus.Failed;
      results.push({ id, name, fileName, timeSpentMs, status, ...(failureMessage && { failureMessage }) });
    }
    writeFileSync(times, JSON.stringify(Object.fromEntries(this.#ms)));
    return { status: DryRunStatus.Complete, tests: results, mutantCoverage: withoutDoubles(stryker.mutantCoverage) };
  }

  async mutantRun({ activeMutant, testFilter, mutantActivation, hitLimit }) {
    const isStatic = mutantActivation === 'static';
    if (isStatic) this.#tests = undefined;
    else await this.#load();
    Object.assign(stryker, { activeMutant: activeMutant.id, hitCount: 0, hitLimit, currentTestId: undefined });
    try {
      return await this.#try(await this.#load(), testFilter);
    } catch (error) {
      // It can't even be loaded.
      const [killedBy = ''] = this.#ms.keys();
      return { status: MutantRunStatus.Killed, killedBy: [killedBy], failureMessage: String(error), nrOfTests: 0 };
    } finally {
      stryker.activeMutant = undefined;
      // What was worked out while loading was worked out by the mutant.
      if (isStatic) this.#tests = undefined;
    }
  }

  async #try(loaded, filter) {
    const ids = filter ?? [...loaded.keys()];
    const chosen = ids
      .flatMap((id) => loaded.get(id) ?? [])
      .sort((a, b) => (this.#ms.get(a.id) ?? 0) - (this.#ms.get(b.id) ?? 0));
    for (const [at, test] of chosen.entries()) {
      const failureMessage = await failureOf(test);
      const nrOfTests = at + 1;
      if (stryker.hitLimit !== undefined && stryker.hitCount > stryker.hitLimit)
        return { status: MutantRunStatus.Timeout, reason: 'its loop has no end' };
      if (failureMessage !== undefined)
        return { status: MutantRunStatus.Killed, killedBy: [test.id], failureMessage, nrOfTests };
    }
    return { status: MutantRunStatus.Survived, nrOfTests: chosen.length };
  }

  async #load() {
    if (this.#tests !== undefined) return this.#tests;
    await collector.end();
    const loaded = collector.start();
    this.#loads += 1;
    await import(`${pathToFileURL(resolve(tests.bundle)).href}?${this.#loads}`);
    this.#tests = loaded;
    return loaded;
  }

  dispose() {
    return collector.end();
  }
}

/**
 * What runs while files are loaded and in tests as well is tried in tests alone: loading all again for each of them would
 * take hours, and can only spare a mutant, never kill one that lives.
 */
function withoutDoubles({ static: loading, perTest }) {
  const tried = new Set(Object.values(perTest).flatMap((mutants) => Object.keys(mutants)));
  return { static: Object.fromEntries(Object.entries(loading).filter(([id]) => !tried.has(id))), perTest };
}

function bundled(options) {
  const common = {
    bundle: true,
    platform: 'node',
    format: 'esm',
    packages: 'external',
    alias: sourceAliases,
    logLevel: 'error',
  };
  return build({ absWorkingDir: process.cwd(), ...common, ...options });
}

/** All test files in one, which gets `vitest` and what else is not loaded again from outside. */
function bundleTests() {
  const lines = globSync(tests.files)
    .sort()
    .map((file) => `from(${JSON.stringify(resolve(file))}); await import('./${file}');`);
  const contents = `import { from } from 'vitest';\n${lines.join('\n')}\n`;
  const setup = ({ onResolve, onLoad }) => {
    onResolve({ filter: /^vitest$/ }, () => ({ path: collectorPath, external: true }));
    onResolve({ filter: /^@platform-sync\/platform\/package$/ }, () => ({
      path: `./${providers.bundle}`,
      external: true,
    }));
    // Worlds as text lie beside the test that reads them.
    onLoad({ filter: /[\\/]test[\\/].*\.ts$/ }, ({ path }) => ({
      contents: readFileSync(path, 'utf8').replaceAll('import.meta.url', JSON.stringify(pathToFileURL(path).href)),
      loader: 'ts',
    }));
  };
  return bundled({
    stdin: { contents, resolveDir: process.cwd(), loader: 'ts' },
    outfile: tests.bundle,
    plugins: [{ name: 'what is not loaded again', setup }],
  });
}

/** Why a test fails; undefined: it does not. */
async function failureOf({ file, run }) {
  process.env.SYNC_LAW_RUNS = runsOf(file);
  try {
    await run();
    return undefined;
  } catch (error) {
    return String(error instanceof Error ? error.message : error).slice(0, 400);
  }
}

export const strykerPlugins = [declareClassPlugin(PluginKind.TestRunner, 'in-memory', InMemoryRunner)];
