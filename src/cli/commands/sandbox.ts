import { integer, string } from '@oclif/core/flags';
import { resolve } from 'node:path';
import type { ExitCode } from '../exit-code.js';
import type { Surroundings } from '../surroundings.js';
import { SyncCommand } from '../sync-command.js';
import { UsageError } from '../usage-error.js';

export class SandboxCommand extends SyncCommand {
  static override summary = 'Run a local stand-in for the platform.';
  static override description =
    'Serves the platform on this machine until it is stopped, for trying things out and for tests of pipelines. When it listens it prints one line of JSON: its url and process id. Set PLATFORM_SERVER_URL to the url and PLATFORM_TOKEN to any text.';
  static override examples = [
    '<%= config.bin %> sandbox',
    '<%= config.bin %> sandbox --port 8080 --data .sandbox',
    '<%= config.bin %> sandbox --latency 86 --rate-limit 600',
  ];
  static override flags = {
    port: integer({ description: 'port to listen on; 0 takes any free one', default: 0, min: 0, max: 65535 }),
    data: string({ description: 'keep objects in this folder; without it they live in memory', helpValue: 'DIR' }),
    latency: integer({ description: 'wait this long before each answer', helpValue: 'MS', min: 0 }),
    'rate-limit': string({ description: 'requests a minute before it answers 429', helpValue: 'N[/min]' }),
    seed: string({ description: 'JSON file with objects to start with', helpValue: 'FILE' }),
    token: string({ description: 'accept only this token; default: any', helpValue: 'TOKEN' }),
  };

  override async execute(around: Surroundings): Promise<ExitCode> {
    const { flags } = await this.parse(SandboxCommand);
    const path = (text: string): string => resolve(around.cwd, flags.cwd ?? '.', text);
    const stopped = new Promise<void>((done) => around.onSignal(() => done()));
    const sandbox = await around.startSandbox({
      port: flags.port,
      ...(flags.data === undefined ? {} : { data: path(flags.data) }),
      ...(flags.latency === undefined ? {} : { latencyMs: flags.latency }),
      ...(flags['rate-limit'] === undefined ? {} : { rateLimit: perMinute(flags['rate-limit']) }),
      ...(flags.seed === undefined ? {} : { seed: path(flags.seed) }),
      ...(flags.token === undefined ? {} : { token: flags.token }),
    });
    around.out(`${JSON.stringify({ url: sandbox.url, pid: process.pid })}\n`);
    await stopped;
    await sandbox.close();
    return 0;
  }
}

/** `600` and `600/min` both mean requests a minute. */
function perMinute(text: string): number {
  const match = /^([1-9]\d*)(\/min)?$/.exec(text.trim());
  if (match === null) throw new UsageError(`--rate-limit takes requests a minute, like 600 or 600/min, not "${text}"`);
  return Number(match[1]);
}
