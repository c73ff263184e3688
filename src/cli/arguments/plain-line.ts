import type { Interfaces } from '@oclif/core';

/** What a command knows: its flags, the global ones among them, and its arguments. */
export interface Known {
  readonly flags: Interfaces.FlagInput;
  readonly args: Interfaces.ArgInput;
}

export interface PlainLine {
  readonly flags: Readonly<Record<string, unknown>>;
  readonly args: Readonly<Record<string, unknown>>;
  readonly argv: readonly unknown[];
}

type Flag = Interfaces.FlagInput[string];

/** What a description may hold for a flag to be plain. Flags that have more to them are the framework's when they are given. */
const plainMembers = new Set(
  'allowNo char default description helpGroup helpValue input max min multiple multipleNonGreedy name options parse summary type'.split(
    ' ',
  ),
);

/** What may stand besides in the description of a flag that is not given: it says nothing then. */
const idleMembers = new Set([...plainMembers, 'dependsOn', 'exclusive']);

/**
 * Reads a command line that holds known flags, each with a value of its own, and all words in their places. Undefined: there is
 * more to it, or something is wrong; the framework's parser judges then. What this one reads, that one reads as the same.
 */
export async function readPlainLine(argv: readonly string[], { flags, args }: Known): Promise<PlainLine | undefined> {
  const given = new Map<string, string[]>();
  const words: string[] = [];
  for (let at = 0; at < argv.length; at += 1) {
    const typed = argv[at] ?? '';
    if (!typed.startsWith('-')) {
      words.push(typed);
      continue;
    }
    const found = flagTyped(typed, flags);
    if (found === undefined) return undefined;
    const { name, flag } = found;
    const values = given.get(name) ?? [];
    given.set(name, values);
    if (flag.type === 'boolean') {
      if (found.value !== undefined) return undefined;
      continue;
    }
    const value = found.value ?? argv[(at += 1)];
    if (value === undefined || value === '' || value.startsWith('-')) return undefined;
    values.push(value);
  }
  const [readFlags, readArgs] = await Promise.all([flagValues(given, flags), argumentValues(words, args)]);
  if (readFlags === undefined || readArgs === undefined) return undefined;
  return { flags: readFlags, args: readArgs, argv: words };
}

interface Typed {
  readonly name: string;
  readonly flag: Flag;
  /** What stands behind `=`. */
  readonly value?: string;
}

/** `--name`, `--name=value` or `-n`; nothing else is plain. */
function flagTyped(typed: string, flags: Interfaces.FlagInput): Typed | undefined {
  const [, long, value] = /^--([^=]+)(?:=(.*))?$/s.exec(typed) ?? [];
  const name = long ?? Object.keys(flags).find((each) => typed.length === 2 && typed[1] === flags[each]?.char);
  const flag = name === undefined || !Object.hasOwn(flags, name) ? undefined : flags[name];
  if (name === undefined || flag === undefined) return undefined;
  return { name, flag, ...(value === undefined ? {} : { value }) };
}

async function flagValues(
  given: ReadonlyMap<string, readonly string[]>,
  flags: Interfaces.FlagInput,
): Promise<PlainLine['flags'] | undefined> {
  const values: Record<string, unknown> = {};
  for (const [name, flag] of Object.entries(flags)) {
    const typed = given.get(name);
    const members = typed === undefined ? idleMembers : plainMembers;
    if (!Object.keys(flag).every((member) => members.has(member))) return undefined;
    const value: unknown = typed === undefined ? flag.default : await valueOf(flag, typed);
    if (typeof value === 'function' || (typed !== undefined && value === undefined)) return undefined;
    if (value !== undefined) values[name] = value;
  }
  return values;
}

/** Undefined: not a value that the flag takes, or not for this parser to say. */
async function valueOf(flag: Flag, typed: readonly string[]): Promise<unknown> {
  if (flag.type === 'boolean') return true;
  if (flag.multiple !== true && typed.length !== 1) return undefined;
  if (typed.some((value) => flag.options?.includes(value) === false)) return undefined;
  const parse = flag.parse as (value: string, context: object, flag: object) => Promise<unknown>;
  const values = await Promise.all(typed.map((value) => parse(value, {}, flag))).catch(() => undefined);
  return flag.multiple === true ? values : values?.[0];
}

const plainArgument = new Set(['description', 'input', 'name', 'options', 'parse', 'required', 'type']);

/** As many words as there are arguments. For one that is left out the framework looks at standard input. */
async function argumentValues(
  words: readonly string[],
  args: Interfaces.ArgInput,
): Promise<PlainLine['args'] | undefined> {
  const all = Object.entries(args);
  if (all.length !== words.length) return undefined;
  const values: Record<string, unknown> = {};
  for (const [at, [name, arg]] of all.entries()) {
    const word = words[at] ?? '';
    const isPlain = Object.keys(arg).every((member) => plainArgument.has(member));
    if (!isPlain || word === '' || arg.options?.includes(word) === false) return undefined;
    values[name] = await arg.parse(word, {} as never, arg);
  }
  return values;
}
