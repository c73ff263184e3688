import { fork } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { FaultRule } from '@platform-sync/sandbox/control/fault-rule';
import { openConnection } from '@platform-sync/state/sqlite-driver';
import { builtChild } from '../harness/built.js';
import { asWritten } from './catalogues.js';
import { startChild, type Child } from './child.js';
import type { ChildResult, KillPoint } from './child-order.js';
import {
  existingIds,
  existingObjects,
  markedResources,
  wantedObjects,
  type Dump,
  type Resources,
} from './inventory.js';

/** Where the state is: a file of its own, or a PostgreSQL address. */
export type BenchState = { readonly backend: 'sqlite' } | { readonly backend: 'postgres'; readonly url: string };

/** How things stand after the run after the crash. */
export interface Aftermath {
  readonly violations: readonly string[];
  readonly result?: ChildResult;
}

/** A platform in a process of its own and a project, for runs that are killed. */
export class CrashBench {
  readonly url: string;
  readonly folder: string;
  readonly #state: BenchState;
  readonly #stopPlatform: () => void;
  /** Whether what is written from now on bears ownership marks. */
  isMarked = false;

  private constructor(url: string, folder: string, state: BenchState, stopPlatform: () => void) {
    this.url = url;
    this.folder = folder;
    this.#state = state;
    this.#stopPlatform = stopPlatform;
  }

  static async start(state: BenchState, latencyMs: number): Promise<CrashBench> {
    const file = await builtChild(fileURLToPath(new URL('sandbox-child.ts', import.meta.url)));
    const platform = fork(file, [String(latencyMs)], { execArgv: [] });
    const url = await new Promise<string>((resolve, reject) => {
      platform.once('message', (message) => resolve((message as { url: string }).url));
      platform.once('exit', () => reject(new Error('the platform did not start')));
    });
    const folder = await mkdtemp(join(tmpdir(), 'sync-chaos-'));
    return new CrashBench(url, folder, state, () => platform.kill());
  }

  async write(resources: Resources): Promise<void> {
    const guards = { maxDeletes: 100_000, maxDeletePercent: 100 };
    // This platform shows at once what was written; one that lags: test/laws/lag-after-a-kill.test.ts.
    const timing = { settleSeconds: 0 };
    const settings = {
      project: 'chaos',
      guards,
      timing,
      state: this.#state,
      ...(this.isMarked ? { ownership: 'label' } : {}),
    };
    await mkdir(join(this.folder, 'catalogue'), { recursive: true });
    await writeFile(join(this.folder, 'sync.yaml'), JSON.stringify(settings));
    await writeFile(join(this.folder, 'catalogue/all.yaml'), JSON.stringify({ resources: asWritten(resources) }));
  }

  /** A process that applies what was written. */
  child(kill?: KillPoint, env: Readonly<Record<string, string>> = {}): Child {
    return startChild({ cwd: this.folder, url: this.url, ...(kill === undefined ? {} : { kill }) }, env);
  }

  /** A process that waits for the stack as long as another one has it. */
  waitingChild(): Child {
    return startChild({ cwd: this.folder, url: this.url, lockTimeoutMs: 120_000 });
  }

  /** Plans and applies what was written, as the run after a crash: everything that is not as it must be then. */
  async finish(resources: Resources): Promise<Aftermath> {
    const child = startChild({ cwd: this.folder, url: this.url, afterCrash: true });
    const { result, check, errors } = await child.ended;
    if (result === undefined || check === undefined) return { violations: [`the next run broke down: ${errors}`] };
    const dump = await this.dump();
    const wanted = wantedObjects(this.isMarked ? markedResources(resources, 'chaos.default') : resources);
    const existing = existingObjects(dump);
    const violations = [
      ...(result.status === 'done' ? [] : [`the next run ended with ${result.status}: ${result.codes.join()}`]),
      ...minus(wanted, existing).map((line) => `missing: ${line}`),
      ...minus(existing, wanted).map((line) => `left over or twice: ${line}`),
      ...check.next.map((line) => `not empty: ${line}`),
      ...(check.openIntents === 0 ? [] : [`${String(check.openIntents)} open intents`]),
      ...(check.managed.join() === existingIds(dump).join() ? [] : ['state and platform know different objects']),
    ];
    return { violations, result };
  }

  /** Sets the platform's fault rules; none: it works as it should. */
  async fault(...rules: readonly FaultRule[]): Promise<void> {
    const headers = { 'content-type': 'application/json' };
    await fetch(`${this.url}/_sandbox/faults`, { method: 'PUT', headers, body: JSON.stringify(rules) });
  }

  /** How often the rules have struck. */
  async struck(): Promise<number> {
    const { rules } = (await (await fetch(`${this.url}/_sandbox/faults`)).json()) as { rules: { struck: number }[] };
    return rules.reduce((sum, rule) => sum + rule.struck, 0);
  }

  async resetPosts(): Promise<void> {
    await fetch(`${this.url}/_sandbox/requests`, { method: 'DELETE' });
  }

  /** POSTs that the platform has answered. */
  async posts(): Promise<number> {
    const answer = await fetch(`${this.url}/_sandbox/requests`);
    const { byRoute } = (await answer.json()) as { byRoute: { method: string; count: number }[] };
    return byRoute.reduce((sum, { method, count }) => (method === 'POST' ? sum + count : sum), 0);
  }

  async dump(): Promise<Dump> {
    return (await (await fetch(`${this.url}/_sandbox/objects`)).json()) as Dump;
  }

  /** Whether no process is in the middle of a transaction: of a state in a file. */
  isStateFree(): boolean {
    const connection = openConnection(join(this.folder, '.sync/state.db'), 0);
    try {
      connection.exec('begin immediate');
      connection.exec('rollback');
      return true;
    } catch {
      return false;
    } finally {
      connection.close();
    }
  }

  async close(): Promise<void> {
    this.#stopPlatform();
    await rm(this.folder, { recursive: true, force: true });
  }
}

/** Lines of `a` that `b` has fewer of. */
function minus(a: readonly string[], b: readonly string[]): readonly string[] {
  const left = new Map<string, number>();
  for (const line of b) left.set(line, (left.get(line) ?? 0) + 1);
  return a.filter((line) => {
    const count = left.get(line) ?? 0;
    left.set(line, count - 1);
    return count <= 0;
  });
}
