import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';

const usage = `Worlds that follow from numbers, in virtual time. docs/develop/simulate.md says what they hold, and what to do with a number that fails.

npm run simulate -- [OPTION…] [FILE…]
  (none)          new worlds for --for (1m; s, m, h) of a core, or --worlds N of them, from --from SEED on; --shrink keeps each
                  failing one as the smallest world that fails alike, in test/simulator/found; --stop-at-first
  --seed N        this one world; --trace: all that happens in it
  FILE…           worlds as data, such as those of test/simulator/found
  --planted       is every planted bug found within --for of a core (10m)? All are looked for in the same worlds, and each
                  alone makes its world go wrong. --only PATTERN: those whose name has it; --shrink keeps the smallest
                  world that shows each; with FILE…: which of them these worlds show
  --mutants N     the same of N small mistakes in apply, refresh and state; other ones by --seed S; --only PATTERN`;

const text = { type: 'string' } as const;
const flag = { type: 'boolean', default: false } as const;
const options = {
  ...{ seed: text, from: text, for: text, worlds: text, mutants: text, only: text },
  ...{ trace: flag, planted: flag, shrink: flag, 'stop-at-first': flag, help: flag },
  /** Of the program that has them in it: how many bugs are planted. */
  bugs: text,
};

/** What is wrong with the words of a command line. */
class WrongWords extends Error {}

/** What the words of a command line ask for. Words that are wrong, or ask for help, end the process with a text. */
export function askedFor(words: readonly string[]): ReturnType<typeof parsed> {
  try {
    const asked = parsed(words);
    if (!asked.values.help) return asked;
    process.stdout.write(`${usage}\n`);
    process.exit(0);
  } catch (error) {
    if (!(error instanceof WrongWords)) throw error;
    process.stderr.write(`${error.message}\n\n${usage}\n`);
    process.exit(2);
  }
}

function parsed(words: readonly string[]) {
  const { values, positionals } = inWords(() => parseArgs({ args: [...words], allowPositionals: true, options }));
  for (const name of ['seed', 'from', 'worlds', 'mutants', 'bugs'] as const)
    if (!/^\d{1,15}$/.test(values[name] ?? '0'))
      throw new WrongWords(`--${name} ${String(values[name])}: not a whole number. Write one, such as --${name} 7.`);
  if (!/^\d+(?:\.\d+)?[smh]?$/.test(values.for ?? '1m'))
    throw new WrongWords(
      `--for ${String(values.for)}: not a time. Write one, such as --for 90s, --for 10m or --for 2h.`,
    );
  inWords(() => new RegExp(values.only ?? ''));
  for (const file of positionals) inWords(() => void JSON.parse(readFileSync(file, 'utf8')), `${file}: no world: `);
  return { values, positionals };
}

function inWords<T>(work: () => T, before = ''): T {
  try {
    return work();
  } catch (error) {
    throw new WrongWords(`${before}${(error as Error).message}`);
  }
}
