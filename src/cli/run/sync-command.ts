import { Command } from '@oclif/core/command';
import type { Config } from '@oclif/core/config';
import type { Interfaces } from '@oclif/core';
import type { ExitCode } from '../process/exit-code.js';
import { globalFlags, jsonFlag } from '../arguments/global-flags.js';
import { flagAmong, unknownFlag } from '../arguments/unknown-flag.js';
import type { Host } from '../process/host.js';

type Parsed = Record<string, unknown>;

/** A command: flags in, exit code out. Started by `program.ts` only. */
export abstract class SyncCommand extends Command {
  // What commands have of their own beats it, so that none of them sees this one.
  static override baseFlags: typeof globalFlags = { ...globalFlags, ...jsonFlag };

  /** Does the work. Problems are printed and told by the code; only bugs are thrown. */
  abstract execute(host: Host): Promise<ExitCode>;

  /** Commands that take any number of words take no flag for one of them. */
  protected override async parse<F extends Parsed, B extends Parsed, A extends Parsed>(
    options?: Interfaces.Input<F, B, A>,
    argv = this.argv,
  ): Promise<Interfaces.ParserOutput<F, B, A>> {
    const parsed = await super.parse(options, argv);
    const typed = options?.strict === false ? flagAmong(parsed.argv, argv) : undefined;
    if (typed === undefined) return parsed;
    throw unknownFlag(typed, this.id ?? '', Object.keys({ ...globalFlags, ...options?.flags }));
  }

  override async run(): Promise<never> {
    throw new Error(`bug: ${String(this.id)} was started without its host`);
  }
}

/** A command that can be made. The mapped type leaves out the abstract constructor of the framework's class. */
export type CommandClass = Omit<typeof SyncCommand, never> & (new (argv: string[], config: Config) => SyncCommand);
