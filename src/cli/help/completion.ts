import type { ManifestEntry } from './manifest.js';
import { topics } from '../command-list.js';

export const shells = ['bash', 'zsh', 'fish'] as const;
export type Shell = (typeof shells)[number];

const programs = ['sync', 'platform-sync'];

interface Flag {
  readonly name: string;
  readonly takesValue: boolean;
  /** The words it takes, where they are few. */
  readonly options: readonly string[];
  readonly description: string;
}

interface Command {
  /** `plan`, `state list`. */
  readonly words: string;
  readonly summary: string;
  readonly flags: readonly Flag[];
  readonly options: readonly string[];
}

/** A script for one shell; it holds all that it offers, so that completing starts no program. */
export function completionScript(shell: Shell, entries: readonly ManifestEntry[]): string {
  const commands = (entries as readonly unknown[] as readonly CompletedCommand[])
    .filter((entry) => !entry.hidden)
    .map(commandOf)
    .sort((a, b) => (a.words < b.words ? -1 : 1));
  return { bash, zsh, fish }[shell](commands);
}

/** What this needs of a manifest entry; the framework's own type leaves its members open. */
interface CompletedCommand {
  readonly id: string;
  readonly hidden: boolean;
  readonly summary?: string | undefined;
  readonly flags: Readonly<Record<string, CompletedFlag>>;
  readonly args: Readonly<Record<string, { readonly options?: readonly string[] }>>;
}

interface CompletedFlag {
  readonly type: 'option' | 'boolean';
  readonly options?: readonly string[];
  readonly description?: string;
}

function commandOf(entry: CompletedCommand): Command {
  const flags = Object.entries(entry.flags).map(([name, flag]) => ({
    name,
    takesValue: flag.type === 'option',
    options: flag.options ?? [],
    description: (flag.description ?? '').replaceAll('\n', ' '),
  }));
  const [first] = Object.values(entry.args);
  return {
    words: entry.id.replace(':', ' '),
    summary: (entry.summary ?? '').replaceAll('\n', ' '),
    flags: [...flags, { name: 'help', takesValue: false, options: [], description: 'show help' }],
    options: first?.options ?? [],
  };
}

/** What may follow the program, and each topic. */
function nextWords(commands: readonly Command[], topic = ''): readonly string[] {
  const inTopic = commands.filter(({ words }) => words.startsWith(topic === '' ? '' : `${topic} `));
  const position = topic === '' ? 0 : 1;
  return [...new Set(inTopic.map(({ words }) => words.split(' ')[position] ?? ''))].filter((word) => word !== '');
}

const topicNames = topics.map(({ name }) => name);
// Where a value follows, the word after it is none of the command's.
const withValue = (commands: readonly Command[]): readonly string[] => [
  '-C',
  ...new Set(commands.flatMap(({ flags }) => flags.filter((flag) => flag.takesValue).map(({ name }) => `--${name}`))),
];

/** The lines of a `case` that both bash and zsh read: what to offer for a command, and for a flag's value. */
function cases(commands: readonly Command[]): { readonly words: string; readonly values: string } {
  const offered = commands.map(({ words, flags, options }) => {
    const more = topicNames.includes(words) ? nextWords(commands, words) : options;
    return `    "${words}") words="${[...more, ...flags.map(({ name }) => `--${name}`)].join(' ')}" ;;`;
  });
  const bareTopics = topicNames
    .filter((name) => commands.every(({ words }) => words !== name))
    .map((name) => `    "${name}") words="${nextWords(commands, name).join(' ')}" ;;`);
  const values = commands.flatMap(({ words, flags }) =>
    flags
      .filter(({ options }) => options.length > 0)
      .map(({ name, options }) => `    "${words} --${name}") words="${options.join(' ')}" ;;`),
  );
  const first = `    "") words="${nextWords(commands).join(' ')} help --version" ;;`;
  return { words: [first, ...bareTopics, ...offered].join('\n'), values: values.join('\n') };
}

function findCommand(commands: readonly Command[], words: string, last: string, first: number): string {
  return `  local at=${first} word command="" words="" previous="" files=""
  while (( at < ${last} )); do
    word="\${${words}[at]}"
    case "$word" in
    ${withValue(commands).join('|')}) at=$((at + 1)); (( at == ${last} )) && previous="$word" ;;
    -*) ;;
    *) if [[ -z "$command" ]]; then command="$word"
       else case "$command $word" in ${commands
         .map((command) => command.words)
         .filter((each) => each.includes(' '))
         .map((each) => `"${each}"`)
         .join('|')}) command="$command $word" ;; esac; fi ;;
    esac
    at=$((at + 1))
  done`;
}

function offers(commands: readonly Command[]): string {
  const { words, values } = cases(commands);
  return `  if [[ -n "$previous" ]]; then
    case "$command $previous" in
${values}
    *) files=1 ;;
    esac
  else
    case "$command" in
${words}
    esac
  fi`;
}

function bash(commands: readonly Command[]): string {
  return `# sync completion bash
_platform_sync() {
${findCommand(commands, 'COMP_WORDS', 'COMP_CWORD', 1)}
  local typed="\${COMP_WORDS[COMP_CWORD]}"
${offers(commands)}
  COMPREPLY=($(compgen -W "$words" -- "$typed"))
  if [[ -n "$files" || ( \${#COMPREPLY[@]} -eq 0 && "$typed" != -* ) ]]; then COMPREPLY=($(compgen -f -- "$typed")); fi
}
complete -o filenames -F _platform_sync ${programs.join(' ')}
`;
}

function zsh(commands: readonly Command[]): string {
  return `#compdef ${programs.join(' ')}
# sync completion zsh
_platform_sync() {
  emulate -L zsh
${findCommand(commands, 'words_typed', 'CURRENT', 2).replace('  local at', '  local -a words_typed=("${words[@]}")\n  local at').replace('words="" previous', 'offered="" previous')}
${offers(commands).replaceAll('words="', 'offered="')}
  if [[ -n "$files" ]]; then _files; else compadd -- \${=offered} || [[ "$PREFIX" == -* ]] || _files; fi
}
(( $+functions[compdef] )) && compdef _platform_sync ${programs.join(' ')}
`;
}

function fish(commands: readonly Command[]): string {
  const lines = [
    '# sync completion fish',
    '# True when the command so far is these words: exactly, or with more behind them.',
    'function __platform_sync_at',
    '  set -l found',
    '  set -l skipped 0',
    '  for word in (commandline -opc)[2..]',
    '    if test $skipped = 1',
    '      set skipped 0',
    `    else if contains -- $word ${withValue(commands).join(' ')}`,
    '      set skipped 1',
    "    else if not string match -q -- '-*' $word",
    '      set -a found $word',
    '    end',
    '  end',
    '  if test $argv[1] = exactly',
    '    test "$found" = "$argv[2..]"',
    '  else',
    '    set -l length (math (count $argv) - 1)',
    '    test (count $found) -ge $length; and test "$found[1..$length]" = "$argv[2..]"',
    '  end',
    'end',
  ];
  for (const program of programs) lines.push(...fishLines(program, commands));
  return `${lines.join('\n')}\n`;
}

function fishLines(program: string, commands: readonly Command[]): readonly string[] {
  const at = (how: 'exactly' | 'below', words: string): string =>
    `complete -c ${program} -n ${quoted(`__platform_sync_at ${how}${words === '' ? '' : ` ${words}`}`)}`;
  const summaryOf = (words: string): string => commands.find((each) => each.words === words)?.summary ?? topicOf(words);
  const named = (topic: string): readonly string[] =>
    nextWords(commands, topic).map(
      (word) => `${at('exactly', topic)} -f -a ${word} -d ${quoted(summaryOf(`${topic} ${word}`.trim()))}`,
    );
  const flagged = commands.flatMap(({ words, flags, options }) => [
    ...options.map((each) => `${at('exactly', words)} -f -a ${each}`),
    ...flags.map(({ name, takesValue, options: values, description }) => {
      const value = values.length > 0 ? ` -x -a ${quoted(values.join(' '))}` : takesValue ? ' -r' : '';
      return `${at('below', words)} -l ${name}${value} -d ${quoted(description)}`;
    }),
  ]);
  return [...named(''), ...topicNames.flatMap(named), ...flagged];
}

function topicOf(name: string): string {
  return topics.find((topic) => topic.name === name)?.description ?? '';
}

function quoted(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}
