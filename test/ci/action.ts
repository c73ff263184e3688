import { appendFile, readFile, writeFile } from 'node:fs/promises';
import { readYaml, started, type Machine, type Ran } from './recipe.js';

export interface Action {
  readonly inputs: Readonly<Record<string, { readonly default?: string; readonly required?: boolean }>>;
  readonly outputs: Readonly<Record<string, object>>;
  readonly runs: Readonly<Record<string, string>>;
}

export async function readAction(): Promise<Action> {
  return (await readYaml('action.yml'))[0] as Action;
}

export interface ActionRun extends Ran {
  readonly outputs: Readonly<Record<string, string>>;
}

/** Runs the action as a runner does: its file by the runner's own Node, inputs and everything else in the environment. */
export async function runAction(
  machine: Machine,
  inputs: Readonly<Record<string, string>>,
  env: Readonly<Record<string, string>> = {},
  contexts: Readonly<Record<string, string>> = {},
): Promise<ActionRun> {
  const action = await readAction();
  const outputFile = machine.path('output');
  await writeFile(outputFile, '');
  const result = await started([process.execPath, machine.path('home', action.runs['main'] ?? '')], {
    cwd: machine.folder,
    env: {
      ...machine.env,
      ...{ GITHUB_ACTIONS: 'true', RUNNER_TEMP: machine.path('temp'), ACTIONS_RUNTIME_TOKEN: 'canary-runtime-token' },
      ...env,
      ...inputsOf(action, inputs, {
        'github.token': 'canary-review-token',
        'runner.temp': machine.path('temp'),
        'job.status': 'success',
        ...contexts,
      }),
      GITHUB_OUTPUT: outputFile,
    },
  });
  const given = new Map(outputsOf(await readFile(outputFile, 'utf8')));
  const outputs = Object.keys(action.outputs).map((name) => [name, given.get(name) ?? ''] as const);
  return { ...result, outputs: Object.fromEntries(outputs) };
}

/** The variables of the inputs: one for each that the action declares, filled in where it has a default. */
export function inputsOf(
  { inputs }: Action,
  given: Readonly<Record<string, string>>,
  contexts: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  const filled = (text: string): string =>
    text.replace(/\$\{\{ ([\w.-]+) \}\}/g, (whole, name: string) => contexts[name] ?? `no context ${whole}`);
  return Object.fromEntries(
    Object.entries(inputs).map(([name, { default: usual = '' }]) => [
      `INPUT_${name.toUpperCase()}`,
      given[name] ?? filled(String(usual)),
    ]),
  );
}

/** `name=value` lines and `name<<end … end` blocks, as the runner reads them; of two the last counts. */
function outputsOf(text: string): readonly (readonly [string, string])[] {
  const found: (readonly [string, string])[] = [];
  const lines = text.split('\n');
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at] ?? '';
    const block = /^([\w-]+)<<(.+)$/.exec(line);
    if (block !== null) {
      const end = lines.indexOf(block[2] ?? '', at + 1);
      if (end < 0) throw new Error(`no end of ${line}`);
      found.push([block[1] ?? '', lines.slice(at + 1, end).join('\n')]);
      at = end;
    } else if (line !== '') found.push([line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]);
  }
  return found;
}

export async function addEvent(machine: Machine, event: object): Promise<string> {
  const file = machine.path('event.json');
  await writeFile(file, '');
  await appendFile(file, JSON.stringify(event));
  return file;
}
