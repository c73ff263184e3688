import type { CommandClass } from './sync-command.js';
import { UsageError } from '../process/usage-error.js';
import { unknownFlag } from '../arguments/unknown-flag.js';

/** What the parser says of a command line, in words of our own; undefined: nothing to say better. Recognised by shape. */
export function usageErrorOf(error: unknown, command: CommandClass, argv: readonly string[]): UsageError | undefined {
  if (!(error instanceof Error)) return undefined;
  const { baseFlags, flags, id } = command;
  if (error.message.startsWith('Nonexistent flag'))
    return unknownFlag(String(listAt(error, 'flags')[0] ?? ''), id, Object.keys({ ...baseFlags, ...flags }));
  if (error.message.startsWith('Unexpected argument')) return tooMany(listAt(error, 'args').map(String), command, argv);
  if (/^Missing \d+ required arg/.test(error.message)) return missing(listAt(error, 'args'), id.replace(':', ' '));
  return undefined;
}

/** A word too many behind a flag that may be repeated is meant as one more value of it. */
function tooMany(words: readonly string[], command: CommandClass, argv: readonly string[]): UsageError {
  const { baseFlags, flags, args, id } = command;
  const name = `sync ${id.replace(':', ' ')}`;
  const taken = Object.keys(args).map((arg) => arg.toUpperCase());
  const repeated = flagBefore(words, argv, { ...baseFlags, ...flags });
  const hint =
    repeated === undefined
      ? `${name} --help shows what it takes`
      : `--${repeated} takes one value; write it again for each: --${repeated} … --${repeated} ${words[0] ?? ''}`;
  const more = words.map((word) => JSON.stringify(word)).join(', ');
  const takes = taken.length === 0 ? 'takes no argument, and got' : `takes ${taken.join(' and ')}, and got besides`;
  return new UsageError(`${name} ${takes} ${more}`, hint);
}

/** The flag that may be repeated and whose value stands right before the first of these words. */
function flagBefore(
  words: readonly string[],
  argv: readonly string[],
  flags: Readonly<Record<string, { readonly type: string; readonly char?: string; readonly multiple?: boolean }>>,
): string | undefined {
  const at = argv.indexOf(words[0] ?? '');
  const typed = [argv[at - 2] ?? '', (argv[at - 1] ?? '').split('=')[0] ?? ''];
  return Object.keys(flags).find((name) => flags[name]?.multiple === true && typed.includes(`--${name}`));
}

function missing(args: readonly unknown[], command: string): UsageError {
  const texts = args.map((arg) => {
    const [name, description] = ['name', 'description'].map((key) => textAt(arg, key));
    return `${(name ?? '').toUpperCase()} (${description ?? ''})`;
  });
  return new UsageError(`sync ${command} needs ${texts.join(' and ')}`, `sync ${command} --help shows how`);
}

function listAt(error: object, name: string): readonly unknown[] {
  const value: unknown = Reflect.get(error, name);
  return Array.isArray(value) ? value : [];
}

function textAt(arg: unknown, name: string): string {
  const value: unknown = typeof arg === 'object' && arg !== null ? Reflect.get(arg, name) : undefined;
  return typeof value === 'string' ? value : '';
}
