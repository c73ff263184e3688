import type { Interfaces } from '@oclif/core';
import { nearest } from '@platform-sync/core/model/nearest';
import { globalFlags, jsonFlag, type GlobalFlags } from '../arguments/global-flags.js';
import { UsageError } from '../process/usage-error.js';

type Values = Record<string, unknown>;

/** What a command line says to a command. */
export interface Line<F, A> {
  readonly flags: F;
  readonly args: A;
  /** All arguments, in their order. */
  readonly words: readonly string[];
}

/** What of a command the parser must know. */
export interface Syntax {
  readonly args?: Interfaces.ArgInput;
  readonly flags?: Interfaces.FlagInput;
  readonly anyWords?: true;
}

/** The flags of a command: its own beat those of every command. */
export function flagsOf({ flags }: Syntax): Interfaces.FlagInput {
  return { ...globalFlags, ...jsonFlag, ...flags };
}

type Input = Interfaces.Input<GlobalFlags & Values, Values, Values>;

/** A line read by the framework's parser, whose refusals are told in words of our own. */
export async function parsedLine(
  id: string,
  command: Syntax,
  argv: readonly string[],
): Promise<Line<Values & GlobalFlags, Values>> {
  const [flags, strict] = [flagsOf(command), command.anyWords !== true];
  const { parse } = await import('@oclif/core/parser');
  const input = { flags, args: command.args ?? {}, strict };
  const parsed = await parse<GlobalFlags & Values, Values, Values>([...argv], input as Input).catch(
    (error: unknown) => {
      throw usageErrorOf(error, id, command, argv) ?? error;
    },
  );
  const words = parsed.argv.map(String);
  // A command that takes any number of words takes no flag for one of them.
  const typed = strict ? undefined : flagAmong(words, argv);
  if (typed !== undefined) throw unknownFlag(typed, id, command);
  const partial = (['fields', 'limit'] as const).find(
    (name) => parsed.flags[name] !== undefined && command.flags?.[name] === undefined,
  );
  if (partial !== undefined && !/^jsonl?$/.test(String(parsed.flags['format'])))
    throw new UsageError(`--${partial} is about JSON`, 'Add --format json');
  return { flags: parsed.flags, args: parsed.args, words };
}

/** The first word that looks like a flag; what stands behind `--` is meant as it stands. */
function flagAmong(words: readonly string[], argv: readonly string[]): string | undefined {
  const dashes = argv.indexOf('--');
  const meant = dashes < 0 ? 0 : argv.length - dashes - 1;
  return words.slice(0, words.length - meant).find((word) => /^-./.test(word));
}

/** What the parser says, in words of our own; undefined: nothing to say better. Recognised by shape. */
function usageErrorOf(error: unknown, id: string, command: Syntax, argv: readonly string[]): UsageError | undefined {
  if (!(error instanceof Error)) return undefined;
  if (error.message.startsWith('Nonexistent flag'))
    return unknownFlag(String(listAt(error, 'flags')[0] ?? ''), id, command);
  if (error.message.startsWith('Unexpected argument'))
    return tooMany(listAt(error, 'args').map(String), id, command, argv);
  if (/^Expected --[\w-]+=.* to be one of/s.test(error.message)) return noSuchValue(error.message);
  if (/^Missing \d+ required arg/.test(error.message)) return missing(listAt(error, 'args'), id);
  return undefined;
}

/** A flag that does not exist is answered with the one that was meant. */
function unknownFlag(typed: string, id: string, command: Syntax): UsageError {
  const [name = ''] = typed.split('=');
  const known = Object.keys(flagsOf(command)).map((flag) => `--${flag}`);
  const meant = nearest(name, known);
  const hint = meant === undefined ? `All flags: ${nameOf(id)} --help` : `did you mean ${meant}?`;
  return new UsageError(`${nameOf(id)} has no flag ${name}`, hint);
}

/** A value that is none of a flag's is answered with the one that was meant, and with all. */
function noSuchValue(message: string): UsageError {
  const [, flag = '', value = '', options = ''] =
    /^Expected --([\w-]+)=(.*) to be one of: ([^\n]*)/s.exec(message) ?? [];
  const meant = nearest(value, options.split(', '));
  const hint = meant === undefined ? `--${flag} takes one of: ${options}` : `did you mean --${flag} ${meant}?`;
  return new UsageError(`--${flag} can't be ${JSON.stringify(value)}`, hint);
}

/** A word too many behind a flag that may be repeated is meant as one more value of it. */
function tooMany(words: readonly string[], id: string, command: Syntax, argv: readonly string[]): UsageError {
  const known = Object.keys(command.args ?? {}).map((arg) => arg.toUpperCase());
  const repeated = flagBefore(words, argv, flagsOf(command));
  const hint =
    repeated === undefined
      ? `What it takes: ${nameOf(id)} --help`
      : `--${repeated} takes one value. Write it again for each: --${repeated} … --${repeated} ${words[0] ?? ''}`;
  const more = words.map((word) => JSON.stringify(word)).join(', ');
  const takes = known.length === 0 ? 'takes no argument, but got' : `takes ${known.join(' and ')}, but also got`;
  return new UsageError(`${nameOf(id)} ${takes} ${more}`, hint);
}

/** The flag that may be repeated and whose value stands right before the first of these words. */
function flagBefore(
  words: readonly string[],
  argv: readonly string[],
  flags: Interfaces.FlagInput,
): string | undefined {
  const at = argv.indexOf(words[0] ?? '');
  const typed = [argv[at - 2] ?? '', (argv[at - 1] ?? '').split('=')[0] ?? ''];
  return Object.keys(flags).find((name) => isRepeated(flags[name]) && typed.includes(`--${name}`));
}

function isRepeated(flag: Interfaces.FlagInput[string] | undefined): boolean {
  return flag?.type === 'option' && flag.multiple === true;
}

function missing(args: readonly unknown[], id: string): UsageError {
  const texts = args.map((arg) => `${textAt(arg, 'name').toUpperCase()} (${textAt(arg, 'description')})`);
  return new UsageError(`${nameOf(id)} needs ${texts.join(' and ')}`, `How it is written: ${nameOf(id)} --help`);
}

function nameOf(id: string): string {
  return `sync ${id.replace(':', ' ')}`;
}

function listAt(error: object, name: string): readonly unknown[] {
  const value: unknown = Reflect.get(error, name);
  return Array.isArray(value) ? value : [];
}

function textAt(arg: unknown, name: string): string {
  const value: unknown = typeof arg === 'object' && arg !== null ? Reflect.get(arg, name) : undefined;
  return typeof value === 'string' ? value : '';
}
