import type * as framework from '@oclif/core/flags';
import type { string as frameworkArgument } from '@oclif/core/args';

/** Flags and arguments as the framework describes them, made without it: descriptions are data, and its parser alone is loaded for them. */
type Options = Readonly<Record<string, unknown>>;

const asTyped = (input: string): Promise<string> => Promise.resolve(input);

function described(defaults: Options = {}) {
  return (options: Options = {}): object => {
    const all: Options = { parse: asTyped, ...defaults, ...options };
    const multiple = Boolean(all['multiple']);
    // One that may be repeated takes one value each time: words behind it are arguments.
    return { ...all, input: [], multiple, ...(multiple ? { multipleNonGreedy: true } : {}), type: 'option' };
  };
}

/** A flag whose value is one of a few words, or anything that has more to it than a text. */
export const option = described as unknown as typeof framework.option;
export const custom = described as unknown as typeof framework.custom;

/** The flag of commands that print for people or for programs. */
export const textOrJson = (description: string) =>
  option({ options: ['text', 'json'] as const, description, default: 'text' as const })();

/** A flag with a text. */
export const string = described() as typeof framework.string;

/** A flag with a whole number, from `min` to `max`. */
export const integer = described({ parse: wholeNumber }) as typeof framework.integer;

/** A flag without a value. */
export const boolean = ((options: Options = {}) => ({
  parse: (given: boolean) => Promise.resolve(given),
  ...options,
  allowNo: Boolean(options['allowNo']),
  type: 'boolean',
})) as unknown as typeof framework.boolean;

/** A word in its place. One that is left out is not read from stdin, which may be a loop's list or somebody else's input. */
export const argument = ((options: Options = {}) => ({
  parse: asTyped,
  ignoreStdin: true,
  ...options,
  input: [],
  type: 'option',
})) as unknown as typeof frameworkArgument;

async function wholeNumber(...given: Parameters<ReturnType<typeof framework.integer>['parse']>): Promise<number> {
  const [input, , { min, max }] = given as unknown as [
    string,
    unknown,
    { readonly min?: number; readonly max?: number },
  ];
  const number = Number.parseInt(input, 10);
  const wrong = !/^-?\d+$/.test(input)
    ? 'an integer'
    : min !== undefined && number < min
      ? `an integer greater than or equal to ${String(min)}`
      : max !== undefined && number > max
        ? `an integer less than or equal to ${String(max)}`
        : undefined;
  if (wrong === undefined) return number;
  const { CLIError } = await import('@oclif/core/errors');
  throw new CLIError(`Expected ${wrong} but received: ${input}`);
}
