import { argument } from '../arguments/flag.js';
import { completionScript, shells, type Shell } from '../help/completion.js';
import { command } from '../run/command.js';

export const completionCommand = command({
  summary: 'Print a script that completes commands and flags in a shell.',
  description:
    'Put the line of your shell into its start-up file. The script knows the commands of this version and asks nothing.',
  examples: [
    'source <(sync completion bash)   # ~/.bashrc',
    'source <(sync completion zsh)    # ~/.zshrc, after compinit',
    'sync completion fish | source    # ~/.config/fish/config.fish',
  ],
  args: {
    shell: argument({ name: 'SHELL', required: true, options: [...shells], description: 'which shell it is for' }),
  },
  needs: 'nothing',
  async run({ args, host }) {
    const { manifestEntries } = await import('../help/manifest.js');
    host.out(completionScript(args.shell as Shell, Object.values(await manifestEntries())));
    return 0;
  },
});
