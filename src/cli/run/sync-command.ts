import { Command } from '@oclif/core/command';
import type { Config } from '@oclif/core/config';
import type { ExitCode } from '../process/exit-code.js';
import { globalFlags } from '../arguments/global-flags.js';
import type { Surroundings } from '../process/surroundings.js';

/** A command: flags in, exit code out. Started by `program.ts` only. */
export abstract class SyncCommand extends Command {
  static override baseFlags = globalFlags;

  /** Does the work. Problems are printed and told by the code; only bugs are thrown. */
  abstract execute(around: Surroundings): Promise<ExitCode>;

  override async run(): Promise<never> {
    throw new Error(`bug: ${String(this.id)} was started without its surroundings`);
  }
}

/** A command that can be made. The mapped type leaves out the abstract constructor of the framework's class. */
export type CommandClass = Omit<typeof SyncCommand, never> & (new (argv: string[], config: Config) => SyncCommand);
