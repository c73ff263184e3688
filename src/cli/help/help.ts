import { Help } from '@oclif/core/help';
import type { Config } from '@oclif/core/config';

/** The framework's help, printed where the program prints. */
export class ProgramHelp extends Help {
  readonly #print: (text: string) => void;

  constructor(
    config: Config,
    print: (text: string) => void,
    options: { readonly plain: boolean; readonly width: number },
  ) {
    super(config, { stripAnsi: options.plain, maxWidth: options.width });
    this.#print = print;
  }

  protected override log(...lines: string[]): void {
    this.#print(`${lines.join('\n')}\n`);
  }
}
