import { boolean, integer, option, string } from '../arguments/flag.js';
import { resolve } from 'node:path';
import { defined } from '@platform-sync/core/model/value';
import { isLoopback } from '@platform-sync/core/model/loopback';
import { shellWord, visible } from '@platform-sync/report/words/escape';
import { command } from '../run/command.js';
import { UsageError } from '../process/usage-error.js';

export const sandboxCommand = command({
  summary: 'Run a local stand-in for the platform.',
  description:
    'Serves the platform on this machine until it is stopped, for trying things out and for tests of pipelines. When it listens it prints one line of JSON: its url and process id, and with --tls the path of its certificate. Set PLATFORM_SERVER_URL to the url and PLATFORM_TOKEN to any text; with --tls, NODE_EXTRA_CA_CERTS to the certificate.',
  examples: [
    'sync sandbox',
    'sync sandbox --port 8080 --data .sandbox',
    'sync sandbox --empty --seed objects.yaml',
    'sync sandbox --latency 86 --rate-limit 600',
    'sync sandbox --tls --data .sandbox',
    'sync sandbox --host 0.0.0.0 --port 8080 --token a-secret',
  ],
  flags: {
    format: option({
      options: ['json'] as const,
      description: 'format of the line it prints',
      default: 'json' as const,
    })(),
    port: integer({
      description: 'port to listen on; 0 takes any free one',
      helpValue: 'N',
      default: 0,
      min: 0,
      max: 65535,
    }),
    host: string({
      description: 'address to listen on; anything but this machine lets others in',
      helpValue: 'ADDR',
      default: '127.0.0.1',
    }),
    tls: boolean({ description: 'listen for https, with a certificate of its own (kept in --data)' }),
    'tls-name': string({
      description: 'another name for the certificate; may be repeated',
      helpValue: 'NAME',
      multiple: true,
      dependsOn: ['tls'],
    }),
    data: string({ description: 'keep objects in this folder; without it they live in memory', helpValue: 'DIR' }),
    latency: integer({ description: 'wait this long before each answer', helpValue: 'MS', min: 0 }),
    'rate-limit': string({ description: 'requests a minute before it answers 429', helpValue: 'N[/min]' }),
    empty: boolean({ description: 'start with no objects at all' }),
    seed: string({ description: 'YAML or JSON file with objects to start with, by path', helpValue: 'FILE' }),
    token: string({ description: 'accept only this token, for /_sandbox, too; default: any', helpValue: 'TOKEN' }),
  },
  needs: 'nothing',
  async run({ flags, host }) {
    const path = (text: string): string => resolve(host.cwd, flags.cwd ?? '.', text);
    const stopped = new Promise<void>((done) => host.onSignal(() => done()));
    if (!isOwn(flags.host)) host.err(openWarning(flags.host, flags.token));
    const sandbox = await host.startSandbox({
      port: flags.port,
      host: flags.host,
      ...(flags.tls ? { tls: { names: flags['tls-name'] ?? [] } } : {}),
      ...(flags.data === undefined ? {} : { data: path(flags.data) }),
      ...defined({ latencyMs: flags.latency }),
      ...(flags['rate-limit'] === undefined ? {} : { rateLimit: perMinute(flags['rate-limit']) }),
      ...(flags.empty ? { empty: true } : {}),
      ...(flags.seed === undefined ? {} : { seed: path(flags.seed) }),
      ...defined({ token: flags.token }),
    });
    const { url, certificate } = sandbox;
    host.out(`${JSON.stringify({ url, pid: process.pid, certificate })}\n`);
    if (host.outIsTerminal) host.err(howToUse(url, certificate, flags.token));
    await stopped;
    await sandbox.close();
    return 0;
  },
});

/** Somebody who sits before it needs another terminal. */
function howToUse(url: string, certificate: string | undefined, token: string | undefined): string {
  const trust = certificate === undefined ? '' : ` NODE_EXTRA_CA_CERTS=${shellWord(certificate)}`;
  const named = token === undefined ? 'any' : '…';
  return `In another terminal, type:\n  export PLATFORM_SERVER_URL=${url} PLATFORM_TOKEN=${named}${trust}\n  sync plan\nCtrl-C ends it.\n`;
}

function isOwn(host: string): boolean {
  return isLoopback(host === '::1' ? '[::1]' : host);
}

function openWarning(host: string, token: string | undefined): string {
  const who = token === undefined ? 'with any token' : 'with the token of --token';
  return `warning: whoever reaches ${visible(host)} can read and change what the sandbox holds, ${who}; keep real data out of it\n`;
}

/** `600` and `600/min` both mean requests a minute. */
function perMinute(text: string): number {
  const match = /^([1-9]\d*)(\/min)?$/.exec(text.trim());
  if (match === null) throw new UsageError(`--rate-limit takes requests a minute, like 600 or 600/min, not "${text}"`);
  return Number(match[1]);
}
