import type { Config } from '@oclif/core/config';
import { commandLoaders, topics } from './command-list.js';
import { readCommandLine } from './command-line.js';
import type { CommandLine } from './command-line.js';
import { chooseStyle } from './colour.js';
import type { ExitCode } from './exit-code.js';
import { reportFailure } from './failure.js';
import { nearestWord } from './nearest.js';
import { packageFacts } from './package-facts.js';
import type { Surroundings } from './surroundings.js';
import { placeFlagsOf, typedWith } from './typed.js';
import { UsageError } from './usage-error.js';

/** Runs one command line and resolves with the exit code. Never rejects. */
export async function runProgram(argv: readonly string[], around: Surroundings): Promise<ExitCode> {
  try {
    return await dispatch(readCommandLine(argv, Object.keys(commandLoaders)), around);
  } catch (error) {
    const style = chooseStyle(around.errIsTerminal, around.env, argv.includes('--no-color'));
    return reportFailure(error, around, { ...style, typed: typedWith(placeFlagsOf(argv)) });
  }
}

async function dispatch(line: CommandLine, around: Surroundings): Promise<ExitCode> {
  if (line.version) {
    const { name, version } = packageFacts();
    around.out(`${name} ${version}\n`);
    return 0;
  }
  const load = line.id === undefined ? undefined : commandLoaders[line.id];
  if (line.id !== undefined && load === undefined) return topicOrUnknown(line.id, line, around);
  if (line.help || load === undefined) {
    if (!line.help)
      throw new UsageError(`no command in: sync ${line.rest.join(' ')}`, 'sync --help lists the commands');
    return showHelp(line.id, around);
  }
  const [command, config] = await Promise.all([load(), oclifConfig(false)]);
  await around.prepareNetwork();
  command.id = line.id ?? '';
  return new command([...line.rest], config).execute(around);
}

async function topicOrUnknown(id: string, line: CommandLine, around: Surroundings): Promise<ExitCode> {
  const inTopic = Object.keys(commandLoaders).filter((known) => known.startsWith(`${id}:`));
  const typed = line.rest.find((word) => !word.startsWith('-'));
  if (inTopic.length > 0 && typed === undefined) return showHelp(id, around);
  const known = inTopic.length > 0 ? inTopic : [...Object.keys(commandLoaders), ...topics.map((topic) => topic.name)];
  const words = inTopic.length > 0 ? `${id} ${typed ?? ''}` : id;
  const nearest = nearestWord(words.replace(' ', ':'), known)?.replace(':', ' ');
  const hint = nearest === undefined ? 'sync --help lists the commands' : `did you mean: sync ${nearest}?`;
  throw new UsageError(`"${words}" is not a command`, hint);
}

async function showHelp(id: string | undefined, around: Surroundings): Promise<ExitCode> {
  const [{ ProgramHelp }, config] = await Promise.all([import('./help.js'), oclifConfig(true)]);
  const style = {
    plain: !around.outIsTerminal || around.env['NO_COLOR'] !== undefined,
    width: Math.min(100, around.columns),
  };
  await new ProgramHelp(config, around.out, style).showHelp(id === undefined ? ['--help'] : [id]);
  return 0;
}

// A mistyped word is answered without the framework.
async function oclifConfig(withCommands: boolean): Promise<Config> {
  return (await import('./oclif-config.js')).loadOclifConfig({ withCommands });
}
