import fc from 'fast-check';
import { parse } from '@oclif/core/parser';
import { describe, expect, it } from 'vitest';
import { readPlainLine } from '../../src/cli/arguments/plain-line.js';
import { commandLoaders } from '../../src/cli/command-list.js';
import { lawRuns } from './runs.js';

const commands = await Promise.all(
  Object.entries(commandLoaders).map(async ([id, load]) => {
    const command = await load();
    return { id, strict: command.strict, flags: { ...command.baseFlags, ...command.flags }, args: command.args };
  }),
);
type Command = (typeof commands)[number];

const named = (id: string): Command => {
  const found = commands.find((each) => each.id === id);
  if (found === undefined) throw new Error(id);
  return found;
};

/** What the framework makes of it; undefined when it refuses. */
async function byFramework({ flags, args, strict }: Command, argv: readonly string[]) {
  try {
    const parsed = await parse([...argv], { flags, args, strict });
    return { flags: { ...parsed.flags }, args: { ...parsed.args }, argv: parsed.argv };
  } catch {
    return undefined;
  }
}

const values = ['a', 'json', 'text', '3', '0', '257', 'x=y', '', '-', '-1', '--', '--out', 'none', 'full', 'b c'];

/** Words of a line: flags that there are in every spelling, some that there aren't, values, and what looks like flags. */
function wordsOf({ flags }: Command): fc.Arbitrary<readonly string[]> {
  const names = Object.keys(flags);
  const value = fc.constantFrom(
    ...values,
    ...Object.values(flags).flatMap((flag) => ('options' in flag ? (flag.options ?? []) : [])),
  );
  const long = fc.constantFrom(...names.map((name) => `--${name}`));
  const char = fc.constantFrom(
    '-C',
    ...Object.values(flags).flatMap(({ char: letter }) => (letter ? [`-${letter}`] : [])),
  );
  const piece = fc.oneof(
    { weight: 4, arbitrary: fc.tuple(long, value).map(([flag, given]) => [flag, given]) },
    { weight: 3, arbitrary: long.map((flag) => [flag]) },
    { weight: 2, arbitrary: fc.tuple(long, value).map(([flag, given]) => [`${flag}=${given}`]) },
    fc.tuple(char, value).map(([flag, given]) => [flag, given]),
    fc.tuple(char, value).map(([flag, given]) => [`${flag}${given}`]),
    value.map((word) => [word]),
    fc
      .constantFrom('--nothing', '--no-color', '--no-out', '-x', '--toString', '--constructor', '--=a')
      .map((word) => [word]),
  );
  return fc.array(piece, { maxLength: 5 }).map((pieces) => pieces.flat());
}

function sorted<T extends { readonly argv: readonly unknown[] }>(line: T | undefined): T | undefined {
  return line === undefined ? undefined : { ...line, argv: line.argv.map(String).sort() };
}

describe('a plain command line', () => {
  it('means what the framework says it means, or is left to it', async () => {
    const lines = fc
      .constantFrom(...commands.filter(({ strict }) => strict))
      .chain((command) => wordsOf(command).map((argv) => ({ command, argv })));
    let plain = 0;
    await fc.assert(
      fc.asyncProperty(lines, async ({ command, argv }) => {
        const read = await readPlainLine(argv, command);
        if (read === undefined) return;
        plain += 1;
        const framework = await byFramework(command, argv);
        // The framework puts a word that is also some flag's value where that stands; these commands ask for words by name.
        expect({ ...sorted(read), by: argv }).toEqual({ ...sorted(framework), by: argv });
      }),
      { numRuns: lawRuns(3000) },
    );
    // A law that is never tried holds, too.
    expect(plain).toBeGreaterThan(0);
  });

  it.each([
    'plan',
    'plan --out plan.json --detailed-exitcode',
    'plan -C shop --stack=dev --refresh none --no-color',
    'plan --target a --target b --var x=y',
    'plan --format json --concurrency 8',
    'validate',
    'validate --all-stacks --format json',
    'drift',
    'show plan.json --format html',
    'import petstore an-id',
    'import --var a=b petstore an-id',
    'get --parent shop ApiDocument guide',
    'get ApiDocument --parent shop --filter a=b guide --filter c=d',
    'comment --file c.md plan.json',
  ])('%s is one', async (line) => {
    const [id = '', ...argv] = line.split(' ');
    const command = named(id);
    const read = await readPlainLine(argv, command);
    expect(read).toEqual(await byFramework(command, argv));
    expect(read).toBeDefined();
  });

  it('takes one value behind each flag that may be repeated, and leaves the words behind it alone', () => {
    const repeated = commands.flatMap(({ id, flags }) =>
      Object.entries(flags).flatMap(([name, flag]) =>
        'multiple' in flag && flag.multiple === true
          ? [{ flag: `${id} --${name}`, isGreedy: !flag.multipleNonGreedy }]
          : [],
      ),
    );
    expect(repeated.filter(({ isGreedy }) => isGreedy)).toEqual([]);
    expect(repeated.map(({ flag }) => flag)).toEqual(expect.arrayContaining(['get --parent', 'comment --job']));
  });

  it.each([
    'plan --format xml',
    'plan --concurrency 0',
    'plan --concurrency many',
    'plan --nothing',
    'plan --out',
    'plan --out --destroy',
    'plan word',
    'plan - a',
    'plan -',
    'plan --base main --destroy',
    'plan --stack a --stack b',
    'show',
    'drift:ignore finding',
    'validate -- --format',
  ])('%s is left to the framework', async (line) => {
    const [id = '', ...argv] = line.split(' ');
    expect(await readPlainLine(argv, named(id))).toBeUndefined();
  });
});
