import type { ConsoleFleet, ConsoleOptions, FleetStack } from '@platform-sync/core/model/console';
import { DiagnosticError } from '@platform-sync/core/model/diagnostic';
import { defined } from '@platform-sync/core/model/value';
import { type Fleet, readFleet } from '@platform-sync/engine/use-cases/fleet';
import { onAbort } from '@platform-sync/rest/http/clock';
import { packageFacts } from '../process/package-facts.js';
import type { RunContext } from '../run/run-context.js';
import { webhookOf } from './command.js';
import { databaseOf, fleetPackageOf } from './queue.js';
import { type FleetNow, ownedStack, Stock } from './stock.js';

/** Who lost a role may do no more for so long. */
const oldestMs = 10_000;

/** Serves the console of a fleet until a signal comes. */
export async function serveFleet(
  context: RunContext,
  at: { readonly host: string; readonly port: number },
): Promise<void> {
  const { host } = context;
  const fleets = new Fleets(context);
  await fleets.now();
  const installed = await fleetPackageOf(context);
  const { stacks } = await fleets.stacks();
  const {
    SYNC_CONSOLE_SECRET: clientSecret,
    SYNC_GITHUB_HOOK_SECRET: github,
    SYNC_GITLAB_HOOK_TOKEN: gitlab,
  } = host.env;
  const running = await installed.openConsole({
    ...{ database: await databaseOf(context, stacks), world: host.world, ...at, version: packageFacts().version },
    fleet: () => fleets.now(),
    ...defined({ clientSecret }),
    hookSecrets: defined({ github, gitlab }),
    ...defined({ tell: await tellerOf(context, fleets) }),
    onProblem: (words) => host.err(`${words}\n`),
  });
  host.out(`The console listens at ${running.url}. Ctrl-C ends it.\n`);
  await context.interrupts.guard(
    ({ drain }) =>
      new Promise<void>((resolve) => {
        if (drain.aborted) resolve();
        onAbort(drain, resolve);
      }),
  );
  await running.close();
}

/** Where news of the fleet go, that somebody broke the glass goes, too. */
async function tellerOf({ host }: RunContext, fleets: Fleets): Promise<ConsoleOptions['tell']> {
  const url = webhookOf(host, undefined);
  if (url === undefined) return undefined;
  const { postWebhook } = await import('@platform-sync/review/notify/post-webhook');
  const { SYNC_FLEET_SECRET: secret } = host.env;
  return async (summary) => {
    const { name } = await fleets.now();
    const message = JSON.stringify({ formatVersion: 1, event: 'break-glass', name, summary });
    const userAgent = `platform-sync/${packageFacts().version}`;
    const problem = await postWebhook({ url, userAgent, ...defined({ secret }) }, 'fleet', message);
    if (problem !== undefined) throw new DiagnosticError([problem]);
  };
}

/** What a console shows: stacks as the worker knows them, and who may do what as fleet.yaml says now. */
class Fleets {
  readonly #context: RunContext;
  readonly #stock: Stock;
  #stacks: { readonly from: FleetNow; readonly owned: readonly FleetStack[] } | undefined;
  #said: { readonly at: number; readonly what: Promise<Fleet> } | undefined;

  constructor(context: RunContext) {
    this.#context = context;
    this.#stock = new Stock(context);
  }

  stacks(): Promise<FleetNow> {
    return this.#stock.now();
  }

  async now(): Promise<ConsoleFleet> {
    const [{ name, console: settings, pipelines }, from] = await Promise.all([this.#settings(), this.#stock.now()]);
    if (settings === undefined) throw noConsole();
    if (this.#stacks?.from !== from) this.#stacks = { from, owned: this.#owned(from) };
    return { name, settings, stacks: this.#stacks.owned, ...defined({ pipelines }) };
  }

  #owned({ fleet, stacks }: FleetNow): readonly FleetStack[] {
    const known = stacks.filter(({ problems }) => problems === undefined);
    return known.map((stack) => ownedStack(this.#context, fleet, stack));
  }

  #settings(): Promise<Fleet> {
    const at = this.#context.host.world.steady();
    if (this.#said === undefined || at - this.#said.at > oldestMs)
      this.#said = { at, what: readFleet(this.#context.cwd) };
    return this.#said.what;
  }
}

function noConsole(): DiagnosticError {
  return new DiagnosticError([
    {
      ...{ severity: 'error', code: 'fleet-invalid', summary: 'fleet.yaml says nothing of a console.' },
      hint: 'Write who may see what: docs/guides/console.md',
    },
  ]);
}
