import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { startSandbox } from '@platform-sync/sandbox/server';
import { portToBind } from '../harness/port-to-bind.js';
import type { Block } from './blocks.js';
import { inProcessSync } from './in-process-sync.js';

/** Where a reader stands who follows a page from its top: one shell, one sandbox, an empty folder. */
export interface PageWorld {
  readonly url: string;
  readonly folder: string;
  /** What the reader has set. */
  readonly env: Readonly<Record<string, string>>;
  /** Types the blocks one after the other, after the lines that the page takes for granted; throws what went wrong. */
  shell(granted: string, blocks: readonly Block[]): Promise<void>;
  write(files: Readonly<Record<string, string>>): Promise<void>;
  close(): Promise<void>;
}

export async function pageWorld(): Promise<PageWorld> {
  const [sandbox, sync] = await Promise.all([startSandbox({ quiet: true }), inProcessSync()]);
  const folder = await mkdtemp(join(tmpdir(), 'sync-docs-'));
  const env = {
    PLATFORM_SERVER_URL: sandbox.url,
    PLATFORM_TOKEN: 'anything',
    // The lookup of the other provider finds a policy on the sandbox, too.
    GOOGLE_OAUTH_ACCESS_TOKEN: 'anything',
    GOOGLE_SERVICE_MANAGEMENT_CUSTOM_ENDPOINT: `${sandbox.url}/v1/`,
  };
  return {
    url: sandbox.url,
    folder,
    env,
    shell: async (granted, blocks) => {
      const script = ['set -e', granted, ...blocks.map(typed)].join('\n');
      await bash(await onFreePorts(script), folder, {
        ...env,
        PATH: `${sync.path}:${process.env['PATH'] ?? ''}`,
        HOME: folder,
        PLACE: folder,
      });
    },
    write: async (files) => {
      for (const [name, text] of Object.entries(files)) {
        await mkdir(dirname(join(folder, name)), { recursive: true });
        await writeFile(join(folder, name), text);
      }
    },
    close: async () => {
      await sandbox.close();
      await sync.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** A page names ports as a reader would; each becomes one that is free. */
async function onFreePorts(script: string): Promise<string> {
  const named = [...new Set(script.match(/\b8(?:08\d|443)\b/g))];
  const free = await Promise.all(named.map(() => portToBind()));
  return named.reduce((text, port, at) => text.replaceAll(port, String(free[at])), script);
}

/** The lines of a block as its mark wants them typed. */
function typed({ page, line, text, mark }: Block): string {
  // An ellipsis stands for what the reader has: here it is set already.
  const lines = text.trimEnd().replaceAll(/^export \w+=….*$/gm, ':');
  const words = mark?.words ?? '';
  const said = words.replace(/^(?:exit|prints) /, '');
  const kept = `"$PLACE/${page.replaceAll('/', '-')}-${line}"`;
  const begin = `echo '@@ ${page}:${line}' >&2`;
  if (words === 'in another terminal')
    return `${begin}\n{\n${lines}\n} > ${kept} &\nuntil [ -s ${kept} ]; do sleep 0.05; done`;
  if (words === 'in a new folder') return `${begin}\n( cd "$(mktemp -d)" && sync init >&2\n${lines}\n)`;
  if (words === 'each line alone') return [begin, ...lines.split('\n').map(alone)].join('\n');
  if (words.startsWith('exit ')) return `${begin}\nset +e\n${lines}\ncode=$?\nset -e\n[ $code = ${said} ]`;
  if (words.startsWith('prints ')) return `${begin}\n{\n${lines}\n} > ${kept}\ngrep -qF -- '${said}' ${kept}`;
  return `${begin}\n${lines}`;
}

/** A line of which each is another way: in a copy of the folder that has its settings only. */
function alone(line: string): string {
  return `( cd "$(mktemp -d)" && cp "$OLDPWD/sync.yaml" . && { ${line.replace(/ +#.*/, '')}; } )`;
}

async function bash(script: string, cwd: string, env: Readonly<Record<string, string>>): Promise<void> {
  // A group of its own: what it leaves running in the background ends with it.
  const shell = spawn('bash', ['-c', script], { cwd, env, stdio: ['ignore', 'pipe', 'pipe'], detached: true });
  let told = '';
  for (const stream of [shell.stdout, shell.stderr]) stream.on('data', (part: Buffer) => (told += part.toString()));
  const closed = once(shell, 'close');
  const [code] = (await once(shell, 'exit')) as [number | null];
  try {
    process.kill(-(shell.pid ?? 0), 'SIGTERM');
  } catch {
    // Nothing was left.
  }
  await closed;
  if (code !== 0) throw new Error(`ended with ${String(code)} in ${told.slice(told.lastIndexOf('@@ ')) || told}`);
}
