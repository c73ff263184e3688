import { argument, textOrJson } from '../arguments/flag.js';
import { compareText } from '@platform-sync/core/model/address';
import { nearest } from '@platform-sync/core/model/nearest';
import type { Json, JsonObject } from '@platform-sync/core/model/value';
import { visible } from '@platform-sync/report/words/escape';
import { jsonText } from '@platform-sync/report/words/json-text';
import { inline, secretExpression } from '@platform-sync/report/words/value';
import { command } from '../run/command.js';
import { stateProblem } from '../state/records.js';

export const outputCommand = command({
  summary: 'Print the outputs of the last apply.',
  description:
    'One output is printed bare, as scripts want it: text without quotes, everything else as JSON. State keeps no secrets, so a secret output has no value to print.',
  examples: ['sync output', 'sync output petstoreId', 'sync output --format json'],
  args: { name: argument({ name: 'NAME', description: 'only this output' }) },
  flags: {
    format: textOrJson('how to print it'),
  },
  needs: 'project',
  async run({ args, flags, host, project }) {
    const { outputs } = await (await project.state()).read();
    const { name } = args;
    const value = name === undefined ? undefined : outputAt(outputs, name);
    if (flags.format === 'json') host.out(jsonText(name === undefined ? outputs : (value ?? null)));
    else if (name === undefined || value === undefined) host.out(listOf(outputs));
    else host.out(`${bare(name, value)}\n`);
    return 0;
  },
});

function outputAt(outputs: JsonObject, name: string): Json {
  const value = Object.hasOwn(outputs, name) ? outputs[name] : undefined;
  if (value !== undefined) return value;
  const meant = nearest(name, Object.keys(outputs));
  const hint = meant === undefined ? 'An apply records them. All of them: sync output' : `did you mean ${meant}?`;
  throw stateProblem('output-unknown', `State has no output ${name}.`, hint);
}

function listOf(outputs: JsonObject): string {
  const names = Object.keys(outputs).sort(compareText);
  if (names.length === 0) return 'No outputs.\n';
  return names.map((name) => `${visible(name)} = ${inline(outputs[name] ?? null)}\n`).join('');
}

function bare(name: string, value: Json): string {
  const secret = secretExpression(value);
  if (secret === undefined) return typeof value === 'string' ? visible(value) : inline(value);
  throw stateProblem('output-secret', `The output ${name} is secret: state keeps no value of it.`, `it is ${secret}`);
}
