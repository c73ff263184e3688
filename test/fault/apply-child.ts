// A process that applies a project and kills itself, or is killed, on the way. Started by crash-run.ts.
import type { OpenOptions, PackageSource, Project } from '@platform-sync/engine/api';
import { openProject } from '@platform-sync/engine/engine';
import type { Provider } from '@platform-sync/core/model/provider';
import type { Intent } from '@platform-sync/core/model/state';
import type { StateStore } from '@platform-sync/core/model/state-store';
import { openStateStore } from '@platform-sync/state/open';
import { providerPackages } from '@platform-sync/sdk/registry';
import type { ChildMessage, ChildOrder, KillPoint } from './child-order.js';

const order = JSON.parse(process.argv[2] ?? '{}') as ChildOrder;

/** Kills this process at the n-th write of a kind, at one point of it. */
class Killer {
  readonly #seen = new Map<string, number>();

  /** Called when a write of this kind is at this point. */
  at(point: KillPoint['point'], write: Intent['action']): void {
    const { kill } = order;
    if (kill?.point !== point || kill.write !== write) return;
    const seen = (this.#seen.get(write) ?? 0) + 1;
    this.#seen.set(write, seen);
    if (seen === kill.nth) process.kill(process.pid, 'SIGKILL');
  }

  async around<T>(write: Intent['action'], call: () => Promise<T>): Promise<T> {
    this.at('before sending', write);
    const answer = await call();
    this.at('after the answer', write);
    return answer;
  }
}

const killer = new Killer();

function killingProvider(provider: Provider): Provider {
  return {
    ...provider,
    create: (...call) => killer.around('create', () => provider.create(...call)),
    update: (...call) => killer.around('update', () => provider.update(...call)),
    delete: (...call) => killer.around('delete', () => provider.delete(...call)),
  };
}

const packages: PackageSource = {
  names: providerPackages.names,
  load: async (name) => {
    const loaded = await providerPackages.load(name);
    return { ...loaded, start: async (context) => killingProvider(await loaded.start(context)) };
  },
};

function killingStore(store: StateStore): StateStore {
  const open = new Map<string, Intent['action']>();
  const begin: StateStore['begin'] = async (lease, intent) => {
    open.set(intent.id, intent.action);
    await store.begin(lease, intent);
    tell({ type: 'begun', write: intent.action });
  };
  const commit: StateStore['commit'] = async (lease, changes) => {
    const serial = await store.commit(lease, changes);
    for (const change of changes) {
      const write = change.kind === 'close-intent' ? open.get(change.id) : undefined;
      if (write !== undefined) killer.at('after the state write', write);
    }
    return serial;
  };
  // Whatever else a store can do is done by the real one, private parts and all.
  return new Proxy(store, {
    get: (target, name) => {
      if (name === 'begin') return begin;
      if (name === 'commit') return commit;
      const member: unknown = Reflect.get(target, name);
      return typeof member === 'function' ? (member.bind(target) as unknown) : member;
    },
  });
}

function tell(message: ChildMessage): void {
  process.send?.(message);
}

const recovered: Record<string, number> = {};

const options: OpenOptions = {
  cwd: order.cwd,
  env: { PLATFORM_TOKEN: 'test-token', PLATFORM_SERVER_URL: order.url },
  purpose: 'apply',
  packages,
  onEvent: (event) => {
    if (event.type === 'apply-started') tell({ type: 'started' });
    if (event.type === 'recovered') recovered[event.outcome] = (recovered[event.outcome] ?? 0) + 1;
  },
  openState: async ({ state, project: name, stack }) =>
    killingStore(await openStateStore(state, name, stack, order.timing ?? {})),
};

async function apply(project: Project): Promise<void> {
  const planned = await project.plan();
  const stepsLeft = planned.plan?.steps.length ?? -1;
  tell({ type: 'planned', steps: stepsLeft });
  const { status, steps, diagnostics } = await project.apply(planned, { lockTimeoutMs: order.lockTimeoutMs ?? 0 });
  const codes = [...diagnostics, ...steps.flatMap((step) => step.diagnostics ?? [])].map(({ code }) => code);
  const done = steps.filter((step) => step.outcome === 'done').length;
  tell({ type: 'ended', status, done, stepsLeft, codes, recovered });
}

async function breakLease(project: Project): Promise<void> {
  const store = await project.state();
  const holder = await store.holder();
  if (holder !== undefined) await store.unlock(holder.id, { now: true });
}

async function check(project: Project): Promise<void> {
  const { plan, diagnostics } = await project.plan();
  const { resources, intents } = await (await project.state()).read();
  tell({
    type: 'checked',
    next: [
      ...(plan?.steps ?? []).map((step) => `${step.action} ${step.address}`),
      ...diagnostics.map(({ summary }) => summary),
    ],
    openIntents: intents.length,
    managed: [...resources.values()].map((record) => record.identity.id).sort(),
  });
}

const { project, diagnostics } = await openProject(options);
if (project === undefined) throw new Error(JSON.stringify(diagnostics));
if (order.afterCrash === true) await breakLease(project);
await apply(project);
if (order.afterCrash === true) await check(project);
await project.close();
process.disconnect?.();
