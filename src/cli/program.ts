import { commandLoaders, topics } from './command-list.js';
import { firstWord, readCommandLine, type CommandLine } from './arguments/command-line.js';
import { explainingHost } from './process/explain-hint.js';
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
  const reader = await readerOf(argv, host);
  try {
    const code = await dispatch(readCommandLine(argv, Object.keys(commandLoaders)), reader.host);
    await reader.ended();
    return code;
  } catch (error) {
    const { reportFailure } = await import('./process/failure.js');
    const style = chooseStyle(host.errIsTerminal, host.env, argv.includes('--no-color'));
    const code = reportFailure(error, host, { ...style, typed: typedWith(placeFlagsOf(argv)) });
    await reader.ended(error);
    return code;
  }
}

/**
 * The host, and what to call when the command is over. Where a program asked for JSON, stdout is never empty; people are told what
 * explains a problem.
 */
async function readerOf(
  argv: readonly string[],
  host: Host,
): Promise<{ readonly host: Host; readonly ended: (error?: unknown) => void | Promise<void> }> {
  const form = jsonForm(argv);
  if (form === undefined) return explainingHost(host, valuesOf(argv, 'log-level').at(-1) === 'error');
  const { jsonWhateverHappens } = await import('./process/json-result.js');
  const [fields, limits] = [valuesOf(argv, 'fields'), valuesOf(argv, 'limit')];
  if (fields.length + limits.length === 0) return jsonWhateverHappens(host, form);
  const part = (await import('./process/json-part.js')).partOfJson(host, form, fields, limits);
  const json = jsonWhateverHappens(part.host, form);
  return {
    host: json.host,
    ended: (error) => {
      json.ended(error);
      part.end();
    },
  };
}

/** One document, or one object a line; undefined: text, or a form that only people read. */
function jsonForm(argv: readonly string[]): 'json' | 'jsonl' | undefined {
  return (['json', 'jsonl'] as const).find((form) => valuesOf(argv, 'format').includes(form));
}

/** What a flag is given, before anybody knows which command takes it. */
function valuesOf(argv: readonly string[], flag: string): readonly string[] {
  const words = argv.includes('--') ? argv.slice(0, argv.indexOf('--')) : argv;
  return words.flatMap((word, at) => {
    if (word === `--${flag}`) return words.slice(at + 1, at + 2);
    return word.startsWith(`--${flag}=`) ? [word.slice(flag.length + 3)] : [];
  });
}

async function dispatch(line: CommandLine, host: Host): Promise<ExitCode> {
  const { id } = line;
  if (line.help && jsonForm(line.rest) === 'json') {
    host.out(await (await import('./help/manifest.js')).manifestText(id));
    return 0;
  }
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
  const typed = firstWord(line.rest);
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
