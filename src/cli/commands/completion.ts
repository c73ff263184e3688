import { argument } from '../arguments/flag.js';
import { completionScript, shells, type Shell } from '../help/completion.js';
import type { ExitCode } from '../process/exit-code.js';
import type { Host } from '../process/host.js';
import { SyncCommand } from '../run/sync-command.js';

export class CompletionCommand extends SyncCommand {
  static override summary = 'Print a script that completes commands and flags in a shell.';
  static override description =
    'Put the line of your shell into its start-up file. The script knows the commands of this version and asks nothing.';
  static override examples = [
    'source <(<%= config.bin %> completion bash)   # ~/.bashrc',
    'source <(<%= config.bin %> completion zsh)    # ~/.zshrc, after compinit',
    '<%= config.bin %> completion fish | source    # ~/.config/fish/config.fish',
  ];
  static override args = {
    shell: argument({ name: 'SHELL', required: true, options: [...shells], description: 'which shell it is for' }),
  };

  override async execute(host: Host): Promise<ExitCode> {
    const { args } = await this.parse(CompletionCommand);
    const { manifestEntries } = await import('../help/oclif-config.js');
    host.out(completionScript(args.shell as Shell, Object.values(await manifestEntries())));
    return 0;
  }
}
