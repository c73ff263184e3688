// `npm start`: builds, then shows the whole round against the sandbox. Exits non-zero when anything is not as promised.
// `npm start -- --fleet`: ten stacks and two workers instead; `npm start -- --console`: a console beside them, until Ctrl-C.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { runDemo } from './demo.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const colour = process.stdout.isTTY && !process.env.NO_COLOR;
const bold = (text) => (colour ? `\u001b[1m${text}\u001b[22m` : text);
if (colour) process.env.FORCE_COLOR ??= '1';

const node = (...args) => spawnSync(process.execPath, args, { cwd: root, stdio: 'inherit' }).status ?? 1;

// Their database and their people are tools of the tests.
const shown = ['--fleet', '--console'].filter((flag) => process.argv.includes(flag));
if (shown.length > 0 && node('scripts/ensure-install.mjs') !== 0) process.exit(1);

console.log(bold('Building …'));
if (node('scripts/build.mjs', '--no-types') !== 0) process.exit(1);
if (shown.length > 0) {
  // Ctrl-C is for the demonstration, which ends in order; this process waits for it.
  process.on('SIGINT', () => undefined);
  process.exit(node('--import', 'tsx', 'scripts/demo-fleet.ts', ...shown));
}

const problems = await runDemo({
  sandbox: (url) => console.log(`\n${bold('The sandbox, a local stand-in for the platform, listens at')} ${url}`),
  step: (title, line) => console.log(`\n${bold(title)}${line === undefined ? '' : `\n$ ${line}`}`),
  output: (text) =>
    console.log(
      text
        .split('\n')
        .map((line) => `  ${line}`.trimEnd())
        .join('\n'),
    ),
});

if (problems.length > 0) {
  console.error(`\nNot as promised:\n${problems.map((problem) => `  ${problem}`).join('\n')}`);
  process.exit(1);
}
console.log(`
${bold('That was the whole round.')} Try it yourself, in two terminals:

  node bin/sync.js sandbox --port 8080

  export PLATFORM_SERVER_URL=http://127.0.0.1:8080 PLATFORM_TOKEN=anything
  node bin/sync.js -C fixtures/example plan
  node bin/sync.js -C fixtures/example apply

To start your own catalogue: mkdir my-catalogue && node bin/sync.js -C my-catalogue init
With npm link, "sync" (or "platform-sync") is on the path. The guide: docs/getting-started.md`);
