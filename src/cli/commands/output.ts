import { argument, option } from '../arguments/flag.js';
import { compareText } from '../../engine/model/address.js';
import { nearest } from '../../engine/model/nearest.js';
import type { Json, JsonObject } from '../../engine/model/value.js';
import { visible } from '../../report/words/escape.js';
import { jsonText } from '../../report/words/json-text.js';
import { inline, secretExpression } from '../../report/words/value.js';
import type { ExitCode } from '../process/exit-code.js';
import type { Host } from '../process/host.js';
import { withContext, withProject } from '../run/run-context.js';
import { SyncCommand } from '../run/sync-command.js';
import { stateProblem } from '../state/records.js';

export class OutputCommand extends SyncCommand {
  static override summary = 'Print the outputs of the last apply.';
  static override description =
    'One output is printed bare, as scripts want it: text without quotes, everything else as JSON. State keeps no secrets, so a secret output has no value to print.';
  static override examples = [
    '<%= config.bin %> output',
    '<%= config.bin %> output petstoreId',
    '<%= config.bin %> output --format json',
  ];
  static override args = { name: argument({ name: 'NAME', description: 'only this output' }) };
  static override flags = {
    format: option({ options: ['text', 'json'] as const, description: 'how to print it', default: 'text' as const })(),
  };

  override async execute(host: Host): Promise<ExitCode> {
    const { args, flags } = await this.parse(OutputCommand);
    return withContext(host, flags, (context) =>
      withProject(context, 'output', async (project) => {
        const { outputs } = await (await project.state()).read();
        const { name } = args;
        const value = name === undefined ? undefined : outputAt(outputs, name);
        if (flags.format === 'json') host.out(jsonText(name === undefined ? outputs : (value ?? null)));
        else if (name === undefined || value === undefined) host.out(listOf(outputs));
        else host.out(`${bare(name, value)}\n`);
        return 0;
      }),
    );
  }
}

function outputAt(outputs: JsonObject, name: string): Json {
  const value = Object.hasOwn(outputs, name) ? outputs[name] : undefined;
  if (value !== undefined) return value;
  const meant = nearest(name, Object.keys(outputs));
  const hint = meant === undefined ? 'sync output shows all; sync apply records them' : `did you mean ${meant}?`;
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
