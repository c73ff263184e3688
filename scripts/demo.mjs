// The tour that `npm start` gives: the built program against the sandbox, as child processes, like a user would.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const built = join(root, 'bin/sync.js');
const example = join(root, 'fixtures/example');
const specification = 'catalogue/specs/payments-2.yaml';

/**
 * Runs the tour with the program at a path. Each step is told to `narrate` (what it shows, what is typed, what came back).
 * Resolves with the expectations that did not hold.
 */
export async function runDemo(narrate, program = built) {
  const folder = mkdtempSync(join(tmpdir(), 'platform-sync-demo-'));
  const sandbox = await startSandbox(program);
  try {
    await emptied(sandbox.url);
    cpSync(example, folder, { recursive: true });
    const env = { ...process.env, PLATFORM_SERVER_URL: sandbox.url, PLATFORM_TOKEN: 'any-token-will-do' };
    narrate.sandbox(sandbox.url);
    return await tour(narrate, { program, folder, env, url: sandbox.url });
  } finally {
    await stop(sandbox.child);
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * `says`: words that must be there. Of a long output `first` lines are shown, and `last` ones, or all `from` a line on that
 * begins so; the program itself never leaves anything out.
 */
async function tour(narrate, place) {
  const problems = [];
  const step = async (title, line, { code = 0, says = [], ...shown } = {}) => {
    narrate.step(title, `sync ${line}`);
    const result = await run(line.split(' '), place);
    narrate.output(shortened(result.output.trimEnd(), shown));
    if (result.code !== code) problems.push(`sync ${line} ended with ${result.code}, not ${code}`);
    for (const words of says) if (!result.output.includes(words)) problems.push(`sync ${line} did not say: ${words}`);
  };

  await step('An API, two versions of it, its documentation, a portal: is the catalogue in order?', 'validate', {
    says: ['Valid: 13 resources'],
  });
  await step('What would happen, and who would see it?', 'plan --out plan.json', {
    says: ['Plan: 13 to create', 'every visitor of the portal sees it'],
    first: 8,
    last: 5,
  });
  await step('Exactly what was reviewed.', 'apply plan.json --yes', {
    says: ['Applied: 13 done, 0 failed, 0 skipped'],
    from: 'done ',
  });
  await step('Nothing is left to do.', 'plan --detailed-exitcode', { says: ['No changes'] });

  narrate.step('The specification of version 2 changes: each payment needs a customer now.');
  narrate.output(change(place, breaking));
  await step('The plan says whom it breaks. Nothing is replaced: the version is edited in place.', 'plan', {
    says: ['breaks clients: POST /payments: request body: customer is new and required', '1 to update, 12 unchanged'],
  });
  await step('Reviewed, and wanted.', 'apply --yes', { says: ['1 done, 0 failed'], from: 'done ' });

  narrate.step('Meanwhile somebody edits the specification on the platform, by hand.');
  await editBehindOurBack(place);
  await step('A drift check finds it.', 'drift', { code: 2, says: ['changed outside', 'Drift: 1 finding'] });
  await step('It reads better, so it stays: accept writes it into the file.', 'drift accept payments/v2', {
    says: [`Edited: ${specification}`],
  });
  await step('File and platform say the same again.', 'plan --detailed-exitcode', { says: ['No changes'] });
  return problems;
}

const breaking = [
  ['      required: [amount, method]', '      required: [amount, method, customer]'],
  [
    '        method: {type: string, enum: [card, bank]}',
    '        method: {type: string, enum: [card, bank]}\n        customer: {type: string}',
  ],
];
const byHand = ['summary: Where a payment stands', 'summary: How far a payment is, and what comes next'];

/** Edits the specification; gives the lines that go and come. */
function change({ folder }, edits) {
  const file = join(folder, specification);
  let text = readFileSync(file, 'utf8');
  const told = [];
  for (const [old, now] of edits) {
    if (!text.includes(old)) throw new Error(`${specification} no longer holds: ${old}`);
    text = text.replace(old, now);
    const before = old.split('\n');
    const after = now.split('\n');
    told.push(...before.filter((line) => !after.includes(line)).map((line) => `-${line}`));
    told.push(...after.filter((line) => !before.includes(line)).map((line) => `+${line}`));
  }
  writeFileSync(file, text);
  return [`${specification}:`, ...told].join('\n');
}

/** Changes what the platform has as version 2, through the sandbox's control door. */
async function editBehindOurBack(place) {
  const { output } = await run(['state', 'list', '--format', 'json'], place);
  const { id } = JSON.parse(output).find(({ address }) => address === 'payments/v2');
  const content = readFileSync(join(place.folder, specification), 'utf8').replace(...byHand);
  await control(place.url, `objects/versions/${id}`, { content });
}

/** What the sandbox has from the start is others': a tour is easier to follow without. */
async function emptied(url) {
  const objects = await (await fetch(`${url}/_sandbox/objects`)).json();
  for (const collection of ['portals', 'auth-strategies'])
    for (const { id } of objects[collection]) await control(url, `objects/${collection}/${id}`, { $delete: true });
}

async function control(url, path, body) {
  const response = await fetch(`${url}/_sandbox/${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`the sandbox refused: ${response.status} ${await response.text()}`);
}

/** A long plan is cut in the middle; of an apply, the plan that was shown before is left out. */
function shortened(text, { first, last, from }) {
  const lines = text.split('\n');
  if (from !== undefined) {
    const begin = lines.findIndex((line) => line.replaceAll(/\u001b\[\d+m/g, '').startsWith(from));
    return [`… the plan, as above …`, ...lines.slice(begin)].join('\n');
  }
  if (first === undefined || lines.length <= first + last + 1) return text;
  const left = lines.length - first - last;
  return [...lines.slice(0, first), `    … ${left} lines left out here …`, ...lines.slice(-last)].join('\n');
}

/** What it prints, and what it tells as it goes, as a terminal would show them. */
async function run(argv, { program, folder, env }) {
  const child = spawn(process.execPath, [program, ...argv], { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] });
  const parts = [];
  child.stdout.on('data', (data) => parts.push(data));
  child.stderr.on('data', (data) => parts.push(data));
  const [code] = await once(child, 'close');
  return { code, output: Buffer.concat(parts).toString('utf8') };
}

async function startSandbox(program) {
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
