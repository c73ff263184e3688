import type { Diagnostic } from '@platform-sync/core/model/diagnostic';
import type { DriftNews } from '@platform-sync/core/model/drift';
import { sha256 } from '@platform-sync/core/model/canonical';
import type { FleetCause, StackNews, Teller } from '@platform-sync/core/model/fleet';
import { defined } from '@platform-sync/core/model/value';
import type { Fleet } from '@platform-sync/engine/use-cases/fleet';
import { documentSlack } from '@platform-sync/report/ci/slack';
import { fleetCauses, fleetNewsDocument, stackNews } from '@platform-sync/report/document/fleet';
import { reviewEnvironment } from '@platform-sync/review/environment';
import { postWebhook } from '@platform-sync/review/notify/post-webhook';
import { packageFacts } from '../process/package-facts.js';
import { withProject, type RunContext } from '../run/run-context.js';
import type { MadeCheck } from './rounds.js';

interface Receiver {
  readonly url: string;
  readonly format: 'generic' | 'slack';
}

/**
 * Tells a receiver what it has not heard of the stacks yet: one message for all of them, a line a cause. Each stack keeps what was not
 * taken, as after a check of its own. In quiet hours nothing is told, so that the first check after them tells what is still so.
 */
export async function tellFleet(
  context: RunContext,
  { name, quiet }: Fleet,
  checks: readonly MadeCheck[],
  receiver: Receiver,
): Promise<readonly Diagnostic[]> {
  if (isQuiet(quiet, context.host.world.now())) return [];
  const gathered: DriftNews[] = [];
  let left = checks.length;
  let send: () => void = () => undefined;
  const sent = new Promise<Diagnostic | undefined>((resolve, reject) => {
    send = () =>
      void (gathered.length === 0 ? resolve(undefined) : post(context, name, gathered, receiver).then(resolve, reject));
  });
  const arrived = (): void => {
    left -= 1;
    if (left === 0) send();
  };
  const trouble = await Promise.all(
    checks.map(async ({ context: ofStack, result }) => {
      let isTold = false;
      const gather = (news: DriftNews): Promise<Diagnostic | undefined> => {
        // What another check saw meanwhile is told by itself.
        if (isTold) return post(context, name, [news], receiver);
        isTold = true;
        gathered.push(news);
        arrived();
        return sent;
      };
      try {
        let problem: Diagnostic | undefined;
        await withProject(ofStack, 'drift', async (project) => {
          problem = await project.tellDrift(result, receiver.url, gather);
          return 0;
        });
        return problem;
      } finally {
        if (!isTold) arrived();
      }
    }),
  );
  const problems = new Map(trouble.flatMap((one) => (one === undefined ? [] : [[one.summary, one] as const])));
  return [...problems.values()];
}

/** In UTC: where clocks change, its hours are an hour later in summer. */
export function isQuiet(quiet: Fleet['quiet'], now: number): boolean {
  if (quiet === undefined) return false;
  const hour = new Date(now).toISOString().slice(11, 16);
  const { from, until } = quiet;
  // The same hour twice: all day.
  return from < until ? from <= hour && hour < until : from <= hour || hour < until;
}

/** What a worker tells, and hears of checks, for all workers of the queue. */
export function workerTeller(
  context: RunContext,
  url: string,
  fleetNow: () => Promise<Pick<Fleet, 'name' | 'quiet'>>,
): Teller {
  return {
    receiver: sha256(url),
    isQuiet: async () => isQuiet((await fleetNow()).quiet, context.host.world.now()),
    send: async ({ id, causes }) => {
      const { name } = await fleetNow();
      return (await sent(context, { name, causes, id }, { url, format: 'generic' })) === undefined;
    },
  };
}

/** Hands over what a stack's receiver has not heard of; undefined: it is kept. */
export async function handOver(
  context: RunContext,
  { result }: MadeCheck,
  url: string,
  keep: (news: readonly StackNews[]) => Promise<void>,
): Promise<void> {
  await withProject(context, 'drift', async (project) => {
    await project.tellDrift(result, url, (news) => keep(stackNews(news)).then(() => undefined, notKept));
    return 0;
  });
}

function notKept(error: unknown): Diagnostic {
  const said = error instanceof Error ? error.message : String(error);
  const hint = 'The next check hands it over.';
  return { severity: 'warning', code: 'news-kept', summary: `News were not handed over: ${said}.`, hint };
}

function post(
  context: RunContext,
  name: string,
  news: readonly DriftNews[],
  receiver: Receiver,
): Promise<Diagnostic | undefined> {
  return sent(context, { name, causes: fleetCauses(news) }, receiver);
}

interface Said {
  readonly name: string;
  readonly causes: readonly FleetCause[];
  readonly id?: string;
}

async function sent(
  { host: { env } }: RunContext,
  { name, causes, id }: Said,
  { url, format }: Receiver,
): Promise<Diagnostic | undefined> {
  const link = reviewEnvironment(env, { platform: undefined, number: undefined })?.links.run;
  const document = fleetNewsDocument(name, causes);
  const message =
    format === 'slack'
      ? documentSlack(document, link)
      : {
          formatVersion: 1,
          event: 'fleet',
          ...defined({ id }),
          name,
          summary: document.ending,
          ...defined({ link }),
          causes,
        };
  const { SYNC_FLEET_SECRET: secret } = env;
  const webhook = { url, userAgent: `platform-sync/${packageFacts().version}`, ...defined({ secret }) };
  return postWebhook(webhook, 'fleet', JSON.stringify(message));
}
