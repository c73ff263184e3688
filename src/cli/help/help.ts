import { Help } from '@oclif/core/help';
import type { Config } from '@oclif/core/config';
import { commandGroups, topics } from '../command-list.js';

interface HelpOptions {
  readonly plain: boolean;
  readonly width: number;
  /** `sync help COMMAND`: everything about every flag. */
  readonly isLong: boolean;
}

/** What help needs to know of a command. */
interface Entry {
  readonly id: string;
  readonly summary?: string;
  readonly examples?: readonly unknown[];
  readonly args: Readonly<
    Record<string, { readonly name: string; readonly required?: boolean; readonly description?: string }>
  >;
  readonly flags: Readonly<Record<string, Flag>>;
}

interface Flag {
  readonly type: string;
  readonly char?: string;
  readonly multiple?: boolean;
  readonly options?: readonly string[];
  readonly helpValue?: string;
  readonly helpGroup?: string;
  readonly description?: string;
}

/** Help, printed where the program prints: the framework's where all is asked for, else a page that fits on a screen. */
export class ProgramHelp extends Help {
  readonly #print: (text: string) => void;
  readonly #width: number;
  readonly #isLong: boolean;

  constructor(config: Config, print: (text: string) => void, { plain, width, isLong }: HelpOptions) {
    super(config, { stripAnsi: plain, maxWidth: width });
    this.#print = print;
    this.#width = width;
    this.#isLong = isLong;
  }

  protected override log(...lines: string[]): void {
    this.#print(`${lines.join('\n')}\n`);
  }

  /** Commands by what people come for. */
  protected override async showRootHelp(): Promise<void> {
    const summaries = new Map<string, string>([
      ...this.config.commands.map(({ id, summary }) => [id, summary ?? ''] as const),
      ...topics.map(({ name, description }) => [`${name} …`, description] as const),
    ]);
    const groups = commandGroups.map(({ title, names }) => {
      const rows = names.map((name) => [name, summaries.get(name) ?? ''] as const);
      return `${title}\n${this.#rows(rows)}`;
    });
    this.log(`${this.formatRoot()}\n\n${groups.join('\n\n')}\n\nMore about one: sync COMMAND --help`);
    return Promise.resolve();
  }

  override async showCommandHelp(command: Parameters<Help['showCommandHelp']>[0]): Promise<void> {
    if (this.#isLong) {
      await super.showCommandHelp(command);
      return;
    }
    const entry = command as unknown as Entry;
    const name = entry.id.replace(':', ' ');
    const args = Object.values(entry.args).map((each) => (each.required === true ? each.name : `[${each.name}]`));
    const all = Object.entries(entry.flags).sort(([a], [b]) => (a < b ? -1 : 1));
    const own = all.filter(([, flag]) => flag.helpGroup !== 'GLOBAL');
    const global = all.filter(([, flag]) => flag.helpGroup === 'GLOBAL').map(([flag, about]) => flagWord(flag, about));
    const below = this.config.commands.filter(({ id }) => id.startsWith(`${entry.id}:`));
    const parts = [
      entry.summary ?? '',
      `EXAMPLES\n${this.#examples(entry)}`,
      ...(args.length > 0 ? [`USAGE\n  sync ${[name, ...args, '[FLAGS]'].join(' ')}`] : []),
      ...(args.length > 0
        ? [`ARGUMENTS\n${this.#rows(Object.values(entry.args).map((each) => [each.name, each.description ?? '']))}`]
        : []),
      ...(own.length > 0
        ? [`FLAGS\n${this.#rows(own.map(([flag, about]) => [flagWord(flag, about), flagText(about)]))}`]
        : []),
      ...(below.length > 0
        ? [`COMMANDS\n${this.#rows(below.map((each) => [each.id.replace(':', ' '), each.summary ?? '']))}`]
        : []),
      `GLOBAL FLAGS\n${this.#wrapped(global.join('  '))}`,
      `All about each: sync help ${name}`,
    ];
    this.log(parts.join('\n\n'));
  }

  #examples({ examples = [] }: Entry): string {
    return examples.map((each) => `  ${String(each)}`).join('\n');
  }

  /** One line each: of a longer text its first clause. */
  #rows(rows: readonly (readonly [string, string])[]): string {
    const left = Math.max(...rows.map(([name]) => name.length));
    const right = Math.max(20, this.#width - left - 4);
    return rows.map(([name, text]) => `  ${name.padEnd(left)}  ${beginning(text, right)}`.trimEnd()).join('\n');
  }

  #wrapped(text: string): string {
    const lines: string[] = [];
    for (const word of text.split('  ')) {
      const last = lines.at(-1);
      if (last === undefined || last.length + word.length + 2 > this.#width) lines.push(`  ${word}`);
      else lines[lines.length - 1] = `${last}  ${word}`;
    }
    return lines.join('\n');
  }
}

function flagWord(name: string, flag: Flag): string {
  const short = flag.char === undefined ? '' : `-${flag.char}, `;
  const value = flag.type === 'boolean' ? '' : `=${valueWord(flag)}${flag.multiple === true ? '...' : ''}`;
  return `${short}--${name}${value}`;
}

/** More words than this make the column too wide. */
const longestValue = 24;

function valueWord({ options, helpValue }: Flag): string {
  const all = options?.join('|');
  return helpValue ?? (all === undefined || all.length > longestValue ? 'WORD' : all);
}

function flagText(flag: Flag): string {
  const { options = [], description = '' } = flag;
  return options.join('|').length > longestValue ? options.join(', ') : description;
}

/** A text of one line: where it is too long, its first clause, or the words that fit. */
function beginning(text: string, width: number): string {
  const whole = text.replace(/\.$/, '');
  if (whole.length <= width) return whole;
  const clause = /^.{12,}?(?=: |; | \(|\. )/.exec(whole)?.[0];
  if (clause !== undefined && clause.length <= width) return clause;
  return `${whole.slice(0, whole.lastIndexOf(' ', width - 2))} …`;
}
