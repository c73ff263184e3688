import type { Interfaces } from '@oclif/core';
import type { ExitCode } from '../process/exit-code.js';
import { globalFlags, jsonFlag } from '../arguments/global-flags.js';
import { flagAmong, unknownFlag } from '../arguments/unknown-flag.js';
import type { Host } from '../process/host.js';

type Parsed = Record<string, unknown>;

/** What a command line means to a command. */
type Meaning<F extends Parsed, B extends Parsed, A extends Parsed> = Pick<
  Interfaces.ParserOutput<F, B, A>,
  'flags' | 'args' | 'argv'
>;

/** A command: flags in, exit code out. Started by `program.ts` only. The static members are what the framework's help shows. */
export abstract class SyncCommand {
  static id = '';
  static summary: string | undefined;
  static description: string | undefined;
  static examples: string[] | undefined;
  static hidden: boolean | undefined;
  /** False: any number of words. */
  static strict = true;
  // What commands have of their own beats it, so that none of them sees this one.
  static baseFlags: typeof globalFlags = { ...globalFlags, ...jsonFlag };
  static flags: Interfaces.FlagInput = {};
  static args: Interfaces.ArgInput = {};
  readonly #argv: readonly string[];

  constructor(argv: readonly string[]) {
    this.#argv = argv;
  }

  /** Does the work. Problems are printed and told by the code; only bugs are thrown. */
  abstract execute(host: Host): Promise<ExitCode>;

  /** Commands that take any number of words take no flag for one of them. */
  protected async parse<F extends Parsed, B extends Parsed, A extends Parsed>(
    command: Interfaces.Input<F, B, A> & { readonly id: string },
  ): Promise<Meaning<F, B, A>> {
    const flags: Interfaces.FlagInput = { ...command.baseFlags, ...command.flags };
    const strict = command.strict !== false;
    const { parse } = await import('@oclif/core/parser');
    const argv = [...this.#argv];
    const parsed: Meaning<F, B, A> = await parse<F, B, A>(argv, { ...command, flags } as Interfaces.Input<F, B, A>);
    const typed = strict ? undefined : flagAmong(parsed.argv, argv);
    if (typed === undefined) return parsed;
    throw unknownFlag(typed, command.id, Object.keys(flags));
  }
}

/** A command that can be made. The mapped type leaves out the abstract constructor. */
export type CommandClass = Omit<typeof SyncCommand, never> & (new (argv: readonly string[]) => SyncCommand);
