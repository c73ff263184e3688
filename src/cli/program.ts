import { commandLoaders, topics } from './command-list.js';
import { readCommandLine, type CommandLine } from './arguments/command-line.js';
import { chooseStyle } from './terminal/colour.js';
import type { ExitCode } from './process/exit-code.js';
import { nearest } from '@platform-sync/core/model/nearest';
import type { Host } from './process/host.js';
import { placeFlagsOf, typedWith } from './run/typed.js';
import { formatsOf, runCommand, type CommandLoaders } from './run/command.js';
import { UsageError } from './process/usage-error.js';

const loaders: CommandLoaders = commandLoaders;

/** Runs one command line and resolves with the exit code. Never rejects. */
export async function runProgram(argv: readonly string[], host: Host): Promise<ExitCode> {
  const json = await jsonIfAsked(argv, host);
  try {
    const code = await dispatch(readCommandLine(argv, Object.keys(commandLoaders)), json.host);
    json.ended();
    return code;
  } catch (error) {
    json.ended(error);
    const { reportFailure } = await import('./process/failure.js');
    const style = chooseStyle(host.errIsTerminal, host.env, argv.includes('--no-color'));
    return reportFailure(error, host, { ...style, typed: typedWith(placeFlagsOf(argv)) });
  }
}

/** The host, and what to call when the command is over: where a program asked for JSON, stdout is never empty. */
async function jsonIfAsked(
  argv: readonly string[],
  host: Host,
): Promise<{ readonly host: Host; readonly ended: (error?: unknown) => void }> {
  const form = jsonForm(argv);
  if (form === undefined) return { host, ended: () => undefined };
  return (await import('./process/json-result.js')).jsonWhateverHappens(host, form);
}

/** One document, or one object a line; undefined: text, or a form that only people read. */
function jsonForm(argv: readonly string[]): 'json' | 'jsonl' | undefined {
  const words = argv.includes('--') ? argv.slice(0, argv.indexOf('--')) : argv;
  const asked = (form: string): boolean =>
    words.some((word, at) => word === `--format=${form}` || (word === '--format' && words[at + 1] === form));
  return (['json', 'jsonl'] as const).find(asked);
}

async function dispatch(line: CommandLine, host: Host): Promise<ExitCode> {
  const { id } = line;
  if (line.version) {
    const { name, version } = (await import('./process/package-facts.js')).packageFacts();
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
  const isWrapped = jsonForm(line.rest) === 'json' && !formatsOf(command).includes('json');
  const json = isWrapped ? (await import('./process/json-result.js')).jsonResult(host) : undefined;
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
