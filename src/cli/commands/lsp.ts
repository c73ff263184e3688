import { command } from '../run/command.js';

export const lspCommand = command({
  summary: 'Serve an editor: problems as you type, completion, hover, definitions.',
  description:
    'A language server (Language Server Protocol) over standard input and output; editors start it for YAML files. It says what sync validate says, of the files as they stand in the editor, and renames addresses. It reads no network and no token, unless the editor asks for a plan.',
  examples: ['sync lsp', 'sync lsp --stack prod'],
  flags: {},
  needs: 'context',
  async run({ context }) {
    const { serve } = await import('../lsp/server.js');
    await serve(context);
    return 0;
  },
});
