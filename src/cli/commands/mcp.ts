import { string } from '../arguments/flag.js';
import { UsageError } from '../process/usage-error.js';
import { command } from '../run/command.js';

export const mcpCommand = command({
  summary: 'Serve an agent: look at the project, and apply what a person approved.',
  description:
    'A server of the Model Context Protocol over standard input and output. Its tools are commands of this program with their JSON; they read, or write into catalogue files. "apply" carries out only the effect that a person has approved: named by --approved, or asked by the client. Secrets are never shown.',
  examples: ['sync mcp', 'sync mcp -C catalogue --stack prod', 'sync mcp --approved 3f2a91c04b7d'],
  flags: {
    approved: string({
      multiple: true,
      description:
        'an effect that a person approved ("effectDigest" of a plan): apply carries it out without a question',
      helpValue: 'DIGEST',
    }),
  },
  needs: 'context',
  given({ flags: { approved = [] } }) {
    const wrong = approved.find((digest) => !/^[0-9a-f]{12,64}$/.test(digest));
    if (wrong !== undefined) throw new UsageError('--approved takes a digest: 12 to 64 hexadecimal digits');
    return approved;
  },
  async run({ context, given }) {
    const { serve } = await import('../mcp/server.js');
    await serve(context, given, { input: process.stdin, write: (text) => void process.stdout.write(text) });
    return 0;
  },
});
