/** A line of a hint: words, or what is typed. */
interface HintLine {
  readonly text: string;
  readonly isTyped: boolean;
}

// What a hint may end in: a command of this program, or flags for the one that was just typed.
const ending = /^(.*?:) ((?:sync |--).*?)\??$/;
const typed = /^(?:sync |pulumi |--)/;

/** A hint's words, and each thing to type on a line of its own: `Take it over: sync adopt pets 7` is two lines. */
export function hintLines(hint: string): readonly HintLine[] {
  const [first = '', ...others] = hint.split('\n');
  // A name may hold anything: a line that begins otherwise was none.
  if (!others.every((line) => typed.test(line))) return [{ text: hint, isTyped: false }];
  const [, words, command] = ending.exec(first) ?? [];
  const typedLines = [...(command === undefined ? [] : [command]), ...others];
  return [{ text: words ?? first, isTyped: false }, ...typedLines.map((text) => ({ text, isTyped: true }))];
}

/** Two sentences as one text: a summary may lack its full stop. */
export function sentences(...parts: readonly string[]): string {
  return parts.map((part, at) => (at < parts.length - 1 && /[\w)\]"'`]$/.test(part) ? `${part}.` : part)).join(' ');
}

// Of these no stack is asked.
const stackless = /^sync (?:completion|sandbox|schema|version|init)\b/;

/** A command as readers of a page have to type it, who are on no machine of this project: with its stack, where it has a name. */
export function commandOf(line: string, stack: string | undefined): string {
  if (stack === undefined || stack === 'default' || !/^sync \S/.test(line)) return line;
  return stackless.test(line) || / --stack\b/.test(line) ? line : `sync --stack ${stack}${line.slice(4)}`;
}
