/** What was typed, taken apart as far as needed to know which command is meant. */
export interface CommandLine {
  /** `plan`, `state:list`, a topic (`state`), an unknown word, or undefined when there is none. */
  readonly id: string | undefined;
  readonly rest: readonly string[];
  readonly help: boolean;
  /** `sync help …`: everything there is to say. */
  readonly isLongHelp: boolean;
  readonly version: boolean;
}

const globalWithValue = new Set([
  ...['-C', '--cwd', '--stack', '--log-level', '--concurrency', '--var', '--var-file'],
  ...['--format', '--fields', '--limit'],
]);
const globalAlone = new Set(['--no-color']);

/**
 * Finds the command among the words; global flags may stand before it.
 *
 * @param ids known command ids, `topic:command` for two words
 */
export function readCommandLine(argv: readonly string[], ids: readonly string[]): CommandLine {
  const { leading, words } = splitLeadingFlags(argv);
  const asksHelp = words[0] === 'help';
  const plain = asksHelp ? words.slice(1) : words;
  const [first, second] = plain;
  const pair = `${first}:${second}`;
  const isPair = first !== undefined && second !== undefined && ids.includes(pair);
  const isWord = first !== undefined && !first.startsWith('-');
  const id = isPair ? pair : isWord ? first : undefined;
  // In front: behind `--` they would be words.
  const rest = [...leading, ...plain.slice(isPair ? 2 : isWord ? 1 : 0)];
  const beforeDashes = rest.includes('--') ? rest.slice(0, rest.indexOf('--')) : rest;
  return {
    id,
    rest,
    isLongHelp: asksHelp,
    help: asksHelp || beforeDashes.includes('--help') || beforeDashes.includes('-h') || argv.length === 0,
    version: id === undefined && (first === '--version' || first === '-v'),
  };
}

/** The first word that is neither a flag nor the value of one that every command takes. */
export function firstWord(words: readonly string[]): string | undefined {
  return words.find((word, at) => !word.startsWith('-') && !globalWithValue.has(words[at - 1] ?? ''));
}

function splitLeadingFlags(argv: readonly string[]): { leading: readonly string[]; words: readonly string[] } {
  let at = 0;
  while (at < argv.length) {
    const word = argv[at] ?? '';
    const hasOwnValue = word.startsWith('--') && word.includes('=');
    if (globalWithValue.has(word)) at += 2;
    else if (globalAlone.has(word) || (hasOwnValue && globalWithValue.has(word.slice(0, word.indexOf('='))))) at += 1;
    else break;
  }
  return { leading: argv.slice(0, at), words: argv.slice(at) };
}
