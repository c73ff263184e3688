import { appendFile, readFile, writeFile } from 'node:fs/promises';
import { readYaml, shell, type Machine, type Ran } from './recipe.js';

export interface Step {
  readonly name?: string;
  readonly id?: string;
  readonly if?: string;
  readonly uses?: string;
  readonly shell?: string;
  readonly run?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly with?: Readonly<Record<string, string | number | boolean>>;
}

export interface CompositeAction {
  readonly inputs: Readonly<Record<string, { readonly default?: string; readonly required?: boolean }>>;
  readonly outputs: Readonly<Record<string, { readonly value: string }>>;
  readonly runs: { readonly using: string; readonly steps: readonly Step[] };
}

export async function readAction(): Promise<CompositeAction> {
  return (await readYaml('action.yml'))[0] as CompositeAction;
}

export interface ActionRun extends Ran {
  /** Names of the steps that ran, `uses` ones included. */
  readonly ran: readonly string[];
  readonly outputs: Readonly<Record<string, string>>;
}

/** Runs the action's `run:` steps one after another, as a runner would; what other actions do is left out. */
export async function runAction(
  machine: Machine,
  inputs: Readonly<Record<string, string>>,
  env: Readonly<Record<string, string>> = {},
  contexts: Readonly<Record<string, string>> = {},
): Promise<ActionRun> {
  const action = await readAction();
  const values = new Map<string, string>([
    ['github.action_path', machine.home],
    ['github.token', 'canary-review-token'],
    ['runner.temp', machine.path('temp')],
    ['job.status', 'success'],
    ...Object.entries(contexts),
  ]);
  for (const [name, { default: usual = '' }] of Object.entries(action.inputs))
    values.set(`inputs.${name}`, filled(inputs[name] ?? String(usual), values));
  const ran: string[] = [];
  let out = '';
  let code = 0;
  for (const step of action.runs.steps) {
    if (!holds(step.if, values, code === 0)) continue;
    ran.push(step.name ?? '');
    if (step.run === undefined) continue;
    const outputFile = machine.path('output');
    await writeFile(outputFile, '');
    const own = Object.fromEntries(Object.entries(step.env ?? {}).map(([name, text]) => [name, filled(text, values)]));
    const result = await shell(step.run, {
      cwd: machine.folder,
      env: { ...machine.env, GITHUB_ACTIONS: 'true', ...env, ...own, GITHUB_OUTPUT: outputFile },
    });
    out += result.out;
    if (code === 0) code = result.code;
    for (const [name, value] of outputsOf(await readFile(outputFile, 'utf8')))
      values.set(`steps.${step.id ?? ''}.outputs.${name}`, value);
  }
  const outputs = Object.entries(action.outputs).map(([name, { value }]) => [name, filled(value, values)] as const);
  return { code, out, ran, outputs: Object.fromEntries(outputs) };
}

/** `${{ a.b }}` becomes its value; anything more than a name is refused. */
function filled(text: string, values: ReadonlyMap<string, string>): string {
  return text.replace(/\$\{\{\s*(.*?)\s*\}\}/g, (_whole, name: string) => valueOf(name, values));
}

function valueOf(name: string, values: ReadonlyMap<string, string>): string {
  if (!/^[\w.-]+$/.test(name)) throw new Error(`not a plain name: ${name}`);
  return values.get(name) ?? '';
}

/** `always() && a == 'b' && c != ''` */
function holds(condition: string | undefined, values: ReadonlyMap<string, string>, isFine: boolean): boolean {
  const parts = condition === undefined ? [] : condition.split('&&').map((part) => part.trim());
  const rest = parts.filter((part) => part !== 'always()');
  if (!isFine && rest.length === parts.length) return false;
  return rest.every((part) => {
    const [, name = '', relation, text] = /^([\w.-]+) (==|!=) '(.*)'$/.exec(part) ?? [];
    if (relation === undefined) throw new Error(`not a condition this test knows: ${part}`);
    return (valueOf(name, values) === text) === (relation === '==');
  });
}

/** `name=value` lines and `name<<end … end` blocks, as the runner reads them. */
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
