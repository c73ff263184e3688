import type { Diagnostic } from '@platform-sync/core/model/diagnostic';
import type { StackRow } from '@platform-sync/state/tables';
import type { Thing } from '../service.js';
import type { Process } from '../simulation.js';
import {
  clockSkewMs,
  isBlind,
  isShownBefore,
  isToldRight,
  leaseTrouble,
  pollMs,
  settleMs,
  wordAfter,
} from './facts.js';
import { Laws } from './laws.js';

/** So often a create is sent again whose answers are lost. */
const mostResends = 4;

/** So long what hangs below something new waits for that at least. */
const lagWaitMs = 20_000;

/** What fails has a cause, and who is asked to wait does. */
export class CauseLaws extends Laws {
  ended(process: Process): void {
    this.#mustHaveWaited(process);
    this.#mustHaveCause(process);
    this.#mustBeFrozen(process);
    this.#mustBeStale(process);
  }

  /** What was reviewed is carried out, where since then nothing has happened to files, records and objects. */
  #mustBeStale(process: Process): void {
    const { name, stack, argv, startedAt, results, plans, unansweredUntil } = process;
    const [reviewed] = plans;
    const stale = results.find(({ status }) => status === 'stale');
    if (!argv.includes('plan.json') || stale === undefined || reviewed === undefined) return;
    const review = this.world.processes.find(
      (each) => each.argv[0] === 'plan' && each.plans.some(({ digest }) => digest === reviewed.digest),
    );
    if (review === undefined || reviewed.notCompared.length > 0 || unansweredUntil > 0) return;
    const since = review.startedAt;
    const { rates, service, writtenAt } = this.world;
    const isQuiet = Object.values(rates).every((rate) => rate === 0) && isToldRight(process) && isToldRight(review);
    const isStill = [...service.things.values()].every(
      (thing) =>
        isShownBefore(thing, since) && (this.witness.touched.get(thing.id) ?? []).every(({ at }) => at < since),
    );
    // What was written a moment before the first look need not be so any more at the second one.
    const isOld = this.witness
      .records((row) => row.stack === stack)
      .every(
        ({ writtenAt: at = '' }) =>
          this.world.scenario.isPrompt === true || !(Date.parse(at) > since - settleMs - clockSkewMs),
      );
    const isSaid = [...writtenAt.values()].every((at) => at < since);
    const isOneDay = new Date(since).getUTCDate() === new Date(startedAt).getUTCDate();
    if (isQuiet && isStill && isOld && isSaid && isOneDay && this.witness.cameSince(since).size === 0)
      this.blame(
        `${name} tells that ${stale.mismatches?.map(({ what }) => what).join() ?? ''} is otherwise than reviewed, and nothing has happened`,
      );
  }

  /** Who is refused since the stack is frozen is refused while it is. */
  #mustBeFrozen({ name, stack, out, startedAt }: Process): void {
    if (!out.includes('state-frozen')) return;
    const row = this.world.tables.rows<StackRow>('sync_stacks').find((each) => each.stack === stack);
    const { until } = JSON.parse(row?.frozen ?? '{}') as { readonly until?: string };
    if (Date.parse(until ?? '') <= startedAt)
      this.blame(`${name} is refused for a freeze that was over at ${until ?? ''}`);
  }

  /** Nothing fails for a lease that is not lost, for a store that answers, or for a home that this run has made and that shows. */
  #mustHaveCause(process: Process): void {
    const { name, argv, out, results, endedAt = 0, startedAt, leases, storeLosses } = process;
    if (argv[0] === 'fleet') return;
    const isBroken = [...leases].some((lease) => this.witness.brokenAt.has(lease));
    const [lost] = /\b(?:lease-late|lease-refused|state-lease-lost)\b/.exec(out) ?? [];
    if (
      lost !== undefined &&
      !isBroken &&
      leases.size > 0 &&
      this.world.isInPeace(process) &&
      this.world.isClockSteady(process)
    )
      this.blame(`${name} tells of ${lost}, and its lease was its own`);
    for (const { steps } of results)
      for (const { address, action, outcome, id, durationMs = 0, diagnostics = [] } of steps) {
        if (durationMs < 0 || durationMs > endedAt - startedAt)
          this.blame(`${name} tells that ${address} took ${String(durationMs)} ms`);
        if (outcome === 'failed') this.#mustHaveTried(process, address, diagnostics);
        if (outcome === 'failed') this.#mustStayOpen(process, address, diagnostics);
        if (outcome === 'failed' && action === 'create') this.#mustNotBeMade(process, address, diagnostics);
        if (outcome === 'done' && id === undefined && (action === 'create' || action === 'adopt'))
          this.blame(`${name} tells that ${address} is there, and not what it is`);
        if (outcome === 'failed') this.#mustHaveMoved(process, address, diagnostics);
        // Who waits for long for one answer may have no time for another try, and who is stopped twice takes none.
        const isWaiting = process.isBrokenOff || out.includes('does not answer within');
        if (
          outcome === 'failed' &&
          storeLosses < 4 &&
          !isWaiting &&
          !leaseTrouble.test(out) &&
          diagnostics.some(({ code }) => code === 'state-unreachable')
        )
          this.blame(
            `${name} fails with ${address} for the store, which has kept it waiting ${String(storeLosses)} times`,
          );
      }
  }

  /**
   * A create that nobody answers is sent again as long as nothing shows that it was carried out, where there can be one of its name
   * alone; and one in a home that this run made waits until that shows.
   */
  #mustHaveTried(
    process: Process,
    address: string,
    diagnostics: readonly Pick<Diagnostic, 'code' | 'summary'>[],
  ): void {
    const { name, stack, plans, out, startedAt, endedAt = 0, frozenUntil, stoppedAt, liedAbout } = process;
    if (
      leaseTrouble.test(out) ||
      !this.world.isInPeace(process) ||
      !this.world.isClockSteady(process) ||
      liedAbout.size > 0
    )
      return;
    const [why, ...others] = diagnostics;
    const step = plans.at(-1)?.steps.find((each) => each.address === address);
    if (step?.action !== 'create' || others.length > 0 || frozenUntil > 0 || stoppedAt !== undefined) return;
    const isUnique = /:(?:Site|Route|Board)$/.test(step.type);
    const sent = this.witness.sent.get(`${name} ${address}`) ?? 0;
    if (why?.code === 'outcome-unknown' && isUnique && sent > 0 && sent <= mostResends)
      this.blame(`${name} gives up ${address}, which it has sent ${String(sent)} times`);
    const home = JSON.stringify(step.fields.find(({ field }) => field === 'siteId')?.new ?? null);
    const [, above = ''] = /"\$unknown":\["([^".]+)\.id"/.exec(home) ?? [];
    const [made] = [...this.witness.madeAt].flatMap(([id, at]) =>
      at === `${stack} ${above}` && this.witness.makers.get(id) === process ? [id] : [],
    );
    const thing = this.world.service.things.get(made ?? '');
    const isThere = thing !== undefined && thing.history.length === 1 && (thing.history[0]?.alone ?? 0) < endedAt;
    // A lookup may fail for another home.
    const isNotFound = why?.code === 'object-not-found' && why.summary.includes(`/${made ?? ''}/`);
    if (isNotFound && isThere && endedAt - startedAt < lagWaitMs)
      this.blame(`${name} does not wait with ${address} until its home shows`);
  }

  /** A write of which it tells that nobody knows what became of it stays open, for the next run to find out. */
  #mustStayOpen(process: Process, address: string, [why]: readonly Pick<Diagnostic, 'code' | 'address'>[]): void {
    const { name, stack, out, runs } = process;
    if (why?.code !== 'outcome-unknown' || leaseTrouble.test(out) || !this.world.isInPeace(process)) return;
    // What was to go along says whose end that was.
    const [of] = (why.address ?? address).split('~');
    const isOpen = this.witness
      .intents()
      .some(
        (intent) => intent.stack === stack && runs.has(`${stack} ${intent.run}`) && intent.address.split('~')[0] === of,
      );
    if (!isOpen) this.blame(`${name} does not know what became of ${address}, and has closed it`);
  }

  /** Who was answered that it is made has made it, whatever a later look comes to. */
  #mustNotBeMade(process: Process, address: string, [why]: readonly Pick<Diagnostic, 'code'>[]): void {
    const { name, stack, out, answered } = process;
    if (leaseTrouble.test(out) || !this.world.isInPeace(process)) return;
    const made = [...answered].find((id) => this.witness.madeAt.get(id) === `${stack} ${address}`);
    if (made !== undefined) this.blame(`${name} fails with ${address} (${why?.code ?? ''}), which is made as ${made}`);
  }

  /** What is told as changed since the plan somebody has changed since, or in it, or the plan was shown something old. */
  #mustHaveMoved(process: Process, address: string, diagnostics: readonly Pick<Diagnostic, 'code'>[]): void {
    const { name, plans, startedAt, liedAbout, argv } = process;
    if (!diagnostics.some(({ code }) => code === 'changed-since-plan')) return;
    const step = plans.at(-1)?.steps.find((each) => each.address === address);
    const { things } = this.world.service;
    // What was changed before it reads by itself who has read nothing finds then.
    if (step?.id === undefined || liedAbout.size > 0 || argv.includes('plan.json') || isBlind(process)) return;
    const { id } = step;
    // What a killed run may have ended counts as there until that has to show.
    const own = things.get(id);
    const hasEnded = own !== undefined && this.world.service.truth(own) === undefined;
    if (hasEnded && this.witness.isYoung(process, address)) return;
    const isSettled = (thing: Thing): boolean =>
      isShownBefore(thing, startedAt) && (this.witness.touched.get(thing.id) ?? []).every(({ at }) => at < startedAt);
    const inside = [...things.values()].filter((thing) => thing.id === id || thing.home === id);
    const came = this.witness.cameSince(startedAt);
    const isStill = !this.world.scenario.stacks.some((stack) =>
      [...came].some((each) => each.startsWith(`${stack} `) && stack !== process.stack),
    );
    if (isStill && inside.length > 0 && inside.every(isSettled))
      this.blame(`${name} tells that ${address} was changed since its plan, and nobody has touched ${id}`);
  }

  /** Who is asked to wait for a stack does so. */
  #mustHaveWaited(process: Process): void {
    const { name, out, startedAt, stoppedAt, endedAt = 0 } = process;
    const waitMs = Number.parseInt(wordAfter(process, '--lock-timeout') ?? '0', 10) * 1000;
    if (stoppedAt === undefined && out.includes('state-lease-held') && endedAt - startedAt < waitMs - pollMs)
      this.blame(`${name} waits for ${String(endedAt - startedAt)} ms alone`);
  }
}
