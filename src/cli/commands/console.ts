import { string } from '../arguments/flag.js';
import { serveFleet } from '../fleet/console.js';
import { UsageError } from '../process/usage-error.js';
import { exitCode } from '../process/exit-code.js';
import { command } from '../run/command.js';

export const consoleCommand = command({
  summary: 'Serve pages that show a fleet, and take approvals.',
  description:
    'Shows how every stack of a fleet stands, by what the PostgreSQL database remembers that keeps the state of all of them: who needs somebody, since when, why, and what waits for approval. "console" in fleet.yaml says where people log in and who may do what; whoever it does not name may do nothing. Workers (`sync fleet work`) do what is asked for here. Runs until it gets a signal. Needs the package platform-sync-fleet.',
  examples: ['sync console', 'sync console --cwd fleet --port 8200'],
  flags: {
    port: string({ description: 'port to listen on; 0: any', helpValue: 'PORT', default: '8200' }),
    host: string({
      description: 'address to listen on; default: this machine only. Others reach it over TLS, by a proxy',
      helpValue: 'HOST',
      default: '127.0.0.1',
    }),
  },
  needs: 'context',
  given({ flags }) {
    const port = Number(flags.port);
    if (!/^\d{1,5}$/.test(flags.port) || port > 65_535) throw new UsageError('--port takes a number up to 65535');
    return { port, host: flags.host };
  },
  async run({ context, given }) {
    await serveFleet(context, given);
    return exitCode({ signal: context.interrupts.caught });
  },
});
