#!/usr/bin/env node
// The launcher: answers --version without loading anything, else runs the built program.
import { existsSync, readFileSync } from 'node:fs';
import module from 'node:module';
import { fileURLToPath } from 'node:url';

const root = new URL('../', import.meta.url);
const argv = process.argv.slice(2);

if (argv.length === 1 && (argv[0] === '--version' || argv[0] === '-v')) {
  const { name, version } = JSON.parse(readFileSync(new URL('package.json', root), 'utf8'));
  process.stdout.write(`${name} ${version}\n`);
} else if (!existsSync(new URL('dist/cli/main.js', root))) {
  process.stderr.write(`The program is not built. In ${fileURLToPath(root)} run: npm run build\n`);
  process.exitCode = 1;
} else {
  // Most runs end before code compiled for speed pays for its making: functions wait longer for it. By V8's name for that. The
  // parser of HTTP is WebAssembly, whose one large function takes a tenth of a second to compile, and 25 MB; on Node 20, where the
  // largest budget is spent after a few hundred answers, it never is.
  const [line] = process.versions.node.split('.');
  const tierUp = {
    20: ['--interrupt-budget=1000000', '--no-wasm-dynamic-tiering', '--no-wasm-tier-up'],
    22: ['--invocation-count-for-turbofan=40000', '--wasm-tiering-budget=1000000000'],
    24: ['--invocation-count-for-turbofan=40000', '--wasm-tiering-budget=1000000000'],
  }[line];
  // Not before Node itself is loaded: V8 throws away what it keeps compiled of Node when a flag changes. Its part of HTTP is there
  // when the first connection is made, and the parser is not yet.
  const connects = 'undici:client:beforeConnect';
  const diagnostics = process.getBuiltinModule('node:diagnostics_channel');
  const set = (flag) => process.getBuiltinModule('node:v8').setFlagsFromString(flag);
  let isLater = false;
  const later = () => {
    if (isLater) return;
    isLater = true;
    diagnostics.unsubscribe(connects, later);
    tierUp.forEach(set);
  };
  const long = () => {
    later();
    // What a large catalogue is read into stays: its room is made at once, not doubled and copied time and again.
    if (line === '20') set('--semi-space-growth-factor=16');
    // V8 collects when the heap is twice what was alive before, and more. Where that is much, it does so sooner, for some CPU time.
    // What a run planned with is soon of no use to one that then goes on at the platform's pace.
    const [much, percent] = argv[0] === 'apply' || argv[0] === 'destroy' ? [2e8, 30] : [5e8, 40];
    const watch = setInterval(() => {
      if (process.memoryUsage().heapTotal < much) return;
      clearInterval(watch);
      set(`--heap-growing-percent=${percent}`);
    }, 250).unref();
  };
  if (tierUp !== undefined) {
    diagnostics.subscribe(connects, later);
    diagnostics.subscribe('platform-sync:long-run', long);
    setTimeout(later, 250).unref();
  }
  // Node 22 keeps compiled code between runs.
  module.enableCompileCache?.();
  await import('../dist/cli/main.js');
}
