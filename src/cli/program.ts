import { commandLoaders, topics } from './command-list.js';
import { readCommandLine, type CommandLine } from './arguments/command-line.js';
import { chooseStyle } from './terminal/colour.js';
import type { ExitCode } from './process/exit-code.js';
import { reportFailure } from './process/failure.js';
import { nearest } from '@platform-sync/core/model/nearest';
import { asksForJson, jsonResult, jsonWhateverHappens } from './process/json-result.js';
import { packageFacts } from './process/package-facts.js';
import type { Host } from './process/host.js';
import { placeFlagsOf, typedWith } from './run/typed.js';
import { formatsOf, runCommand, type CommandLoaders } from './run/command.js';
import { UsageError } from './process/usage-error.js';

const loaders: CommandLoaders = commandLoaders;

/** Runs one command line and resolves with the exit code. Never rejects. */
export async function runProgram(argv: readonly string[], host: Host): Promise<ExitCode> {
  const json = jsonWhateverHappens(argv, host);
  try {
    const code = await dispatch(readCommandLine(argv, Object.keys(commandLoaders)), json.host);
    json.ended();
    return code;
  } catch (error) {
    json.ended(error);
    const style = chooseStyle(host.errIsTerminal, host.env, argv.includes('--no-color'));
    return reportFailure(error, host, { ...style, typed: typedWith(placeFlagsOf(argv)) });
  }
}

async function dispatch(line: CommandLine, host: Host): Promise<ExitCode> {
  const { id } = line;
  if (line.version) {
    const { name, version } = packageFacts();
    host.out(`${name} ${version}\n`);
    return 0;
  }
  if (id === undefined) {
    if (line.help) return showHelp(id, host);
    throw new UsageError(`no command in: sync ${line.rest.join(' ')}`, 'All commands: sync --help');
  }
  const load = loaders[id];
  if (load === undefined) return topicOrUnknown(id, line, host);
  if (line.help) return showHelp(id, host, line.isLongHelp);
  const command = await load();
  await host.prepareNetwork();
  const json = asksForJson(line.rest) && !formatsOf(command).includes('json') ? jsonResult(host) : undefined;
  const code = await runCommand(id, command, line.rest, json?.host ?? host);
  json?.print(code);
  return code;
}

async function topicOrUnknown(id: string, line: CommandLine, host: Host): Promise<ExitCode> {
  const inTopic = Object.keys(commandLoaders).filter((known) => known.startsWith(`${id}:`));
  const typed = line.rest.find((word) => !word.startsWith('-'));
  if (inTopic.length > 0 && typed === undefined) return showHelp(id, host);
  const known = inTopic.length > 0 ? inTopic : [...Object.keys(commandLoaders), ...topics.map((topic) => topic.name)];
  const words = inTopic.length > 0 ? `${id} ${typed ?? ''}` : id;
  const meant = nearest(words.replace(' ', ':'), known)?.replace(':', ' ');
  const hint = meant === undefined ? 'All commands: sync --help' : `did you mean: sync ${meant}?`;
  throw new UsageError(`"${words}" is not a command`, hint);
}

async function showHelp(id: string | undefined, host: Host, isLong = true): Promise<ExitCode> {
  const [{ ProgramHelp }, { loadOclifConfig }] = await Promise.all([
    import('./help/help.js'),
    import('./help/oclif-config.js'),
  ]);
  const config = await loadOclifConfig();
  const style = {
    plain: chooseStyle(host.outIsTerminal, host.env, false).bold('x') === 'x',
    width: Math.min(100, host.columns),
    isLong,
  };
  await new ProgramHelp(config, host.out, style).showHelp(id === undefined ? ['--help'] : [id]);
  return 0;
}
