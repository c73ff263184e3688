// The tour that `npm start` gives: the built program against the sandbox, as child processes, like a user would.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const program = join(root, 'bin/sync.js');
const example = join(root, 'fixtures/example');

/**
 * Runs the tour. Each step is told to `narrate` (what it shows, what is typed, what came back).
 * Resolves with the expectations that did not hold.
 */
export async function runDemo(narrate) {
  const folder = mkdtempSync(join(tmpdir(), 'platform-sync-demo-'));
  const sandbox = await startSandbox();
  try {
    cpSync(example, folder, { recursive: true });
    const env = { ...process.env, PLATFORM_SERVER_URL: sandbox.url, PLATFORM_TOKEN: 'any-token-will-do' };
    narrate.sandbox(sandbox.url);
    return await tour(narrate, { folder, env, url: sandbox.url });
  } finally {
    await stop(sandbox.child);
    rmSync(folder, { recursive: true, force: true });
  }
}

async function tour(narrate, place) {
  const problems = [];
  const step = async (title, argv, expected) => {
    narrate.step(title, ['sync', ...argv].join(' '));
    const result = await run(argv, place);
    narrate.output(result.output);
    if (result.code !== expected.code)
      problems.push(`sync ${argv.join(' ')} ended with ${result.code}, not ${expected.code}`);
    for (const words of expected.says ?? []) {
      if (!result.output.includes(words)) problems.push(`sync ${argv.join(' ')} did not say: ${words}`);
    }
    return result;
  };

  await step('Is the catalogue in order? No network needed.', ['validate'], { code: 0, says: ['Valid:'] });
  await step('What would happen?', ['plan'], { code: 0, says: ['to create'] });
  await step('Make it so.', ['apply', '--yes'], { code: 0, says: [', 0 failed, 0 skipped'] });
  await step('Nothing is left to do.', ['plan', '--detailed-exitcode'], { code: 0, says: ['No changes'] });
  const edited = await editBehindOurBack(place);
  narrate.step(`Somebody edits the description of "${edited}" by hand, behind the tool's back.`);
  await step('The next plan finds it.', ['plan', '--detailed-exitcode'], {
    code: 2,
    says: [`update ${edited}`, '# changed outside', 'by hand'],
  });
  await step('And puts it back.', ['apply', '--yes'], { code: 0, says: ['1 done, 0 failed'] });
  await step('As the catalogue says, again.', ['plan', '--detailed-exitcode'], { code: 0, says: ['No changes'] });
  return problems;
}

/** Changes the description of the first API through the sandbox's control door; gives its address. */
async function editBehindOurBack(place) {
  const { output } = await run(['state', 'list', '--format', 'json'], place);
  const api = JSON.parse(output).find((record) => record.type.endsWith(':Api'));
  const response = await fetch(`${place.url}/_sandbox/objects/apis/${api.id}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ description: 'Edited by hand.' }),
  });
  if (!response.ok) throw new Error(`the sandbox refused the edit: ${response.status} ${await response.text()}`);
  return api.address;
}

async function run(argv, { folder, env }) {
  const child = spawn(process.execPath, [program, ...argv], { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] });
  const parts = [];
  child.stdout.on('data', (data) => parts.push(data));
  child.stderr.on('data', (data) => parts.push(data));
  const [code] = await once(child, 'close');
  return { code, output: Buffer.concat(parts).toString('utf8') };
}

async function startSandbox() {
  if (!existsSync(example)) throw new Error('fixtures/example is missing');
  const child = spawn(process.execPath, [program, 'sandbox', '--port', '0'], { stdio: ['ignore', 'pipe', 'inherit'] });
  const line = await Promise.race([
    once(createInterface({ input: child.stdout }), 'line').then(([text]) => text),
    once(child, 'close').then(([code]) =>
      Promise.reject(new Error(`the sandbox ended with ${code} before it listened`)),
    ),
  ]);
  return { child, url: JSON.parse(line).url };
}

async function stop(child) {
  if (child.exitCode !== null) return;
  child.kill('SIGTERM');
  await once(child, 'close');
}
