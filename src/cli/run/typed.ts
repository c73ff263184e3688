import { join } from 'node:path';
import { shellWord } from '@platform-sync/report/words/escape';
import { commandLoaders } from '../command-list.js';
import { ownMember } from '@platform-sync/core/model/value';

/** The global flags that say what a command is about. */
interface PlaceFlags {
  readonly cwd?: string | undefined;
  readonly stack?: string | undefined;
  readonly concurrency?: number | string | undefined;
  readonly var?: readonly string[] | undefined;
  readonly 'var-file'?: readonly string[] | undefined;
}

// These ask for no project: the flags would mean nothing to them.
const placeless = new Set(['completion', 'sandbox', 'schema', 'version']);
const words = [...new Set(Object.keys(commandLoaders).map((id) => id.split(':')[0] ?? id))];
// What is quoted for the shell is a value: its words are no command.
const commandLine = new RegExp(
  `(?<=\\s)'[^']*'|\\bsync (?=(?:${words.filter((id) => !placeless.has(id)).join('|')})\\b)`,
  'g',
);

/** Puts the flags in force into every command line of a text: `sync plan` → `sync -C shop --stack dev plan`. */
export function typedWith(flags: PlaceFlags): (text: string) => string {
  const inForce: readonly string[] = [
    ...(flags.cwd === undefined ? [] : ['-C', shellWord(flags.cwd)]),
    ...(flags.stack === undefined ? [] : ['--stack', shellWord(flags.stack)]),
    ...(flags.concurrency === undefined ? [] : ['--concurrency', shellWord(String(flags.concurrency))]),
    // No secret: those are refused as values of --var.
    ...(flags.var ?? []).flatMap((given) => ['--var', shellWord(given)]),
    ...(flags['var-file'] ?? []).flatMap((file) => ['--var-file', shellWord(file)]),
  ];
  if (inForce.length === 0) return (text) => text;
  const programOf = (words: readonly string[]): string => `sync ${words.map((word) => `${word} `).join('')}`;
  const program = programOf(inForce);
  const without = (...left: readonly string[]): string =>
    programOf(inForce.filter((word, at) => !left.includes(word) && !left.includes(inForce[at - 1] ?? '')));
  const { cwd = '.' } = flags;
  return (text) =>
    text
      .replace(commandLine, (found, at: number) => {
        if (found.startsWith("'")) return found;
        // A line that names its stack or its folder itself needs no other one.
        const [line = ''] = text.slice(at).split('\n', 1);
        const own = [...(/ --stack\b/.test(line) ? ['--stack'] : []), ...(/ --cwd\b/.test(line) ? ['-C'] : [])];
        return own.length > 0 ? without(...own) : program;
      })
      .replaceAll(ownFolder, (_, folder: string) => ` --cwd ${shellWord(join(cwd, folder.replaceAll("'", '')))}`);
}

/** As a fleet names the folder of a stack, which is meant from its own; with quotes where the shell needs them. */
const ownFolder = /(?<=\bsync [^\n]*) --cwd ('[^']*'|[^\s']+)/g;

type Single = Exclude<keyof PlaceFlags, 'var' | 'var-file'>;

const names: Readonly<Record<string, Single>> = {
  '-C': 'cwd',
  '--cwd': 'cwd',
  '--stack': 'stack',
  '--concurrency': 'concurrency',
};

/** The flags in force of a command line that could not be parsed, or failed later. */
export function placeFlagsOf(argv: readonly string[]): PlaceFlags {
  const found: Partial<Record<Single, string>> = {};
  const end = argv.indexOf('--');
  for (const [at, word] of (end < 0 ? argv : argv.slice(0, end)).entries()) {
    const [, flag = word, value = argv[at + 1]] = /^(--[a-z]+)=(.*)$/s.exec(word) ?? /^(-C)(.+)$/s.exec(word) ?? [];
    const name = ownMember(names, flag);
    if (name !== undefined && value !== undefined) found[name] = value;
  }
  return found;
}
