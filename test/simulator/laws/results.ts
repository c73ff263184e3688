import { chooses } from '@platform-sync/core/model/address';
import type { Diagnostic } from '@platform-sync/core/model/diagnostic';
import type { PlanStep } from '@platform-sync/core/model/plan';
import type { JsonObject } from '@platform-sync/core/model/value';
import type { ApplyResult } from '@platform-sync/engine/api';
import { type Block, neededBy } from '../catalogue.js';
import { liftingIn } from '../guards.js';
import type { Thing } from '../service.js';
import type { Process } from '../simulation.js';
import { apiKey } from '../types.js';
import {
  aSecret,
  goesByFiles,
  isUnknown,
  keyFields,
  keyIn,
  leaseTrouble,
  replacedIn,
  same,
  untrue,
  wordAfter,
  written,
} from './facts.js';
import { Laws } from './laws.js';

/** What a run tells of a step when it fails. */
const failedStep = /^failed +\S+ (\S+): /gm;

/** What a run tells of its steps. */
export class ResultLaws extends Laws {
  ended(process: Process): void {
    const { service, time } = this.world;
    const told = [process.out, JSON.stringify([process.plans, process.results, process.checks])];
    for (const secret of [apiKey, aSecret]) {
      const at = told.map((text) => text.indexOf(secret)).find((place) => place >= 0);
      if (at !== undefined)
        this.blame(
          `${process.name} tells a secret: ${told.map((text) => text.slice(Math.max(0, at - 80), at + 40)).join(' | ')}`,
        );
    }
    if (process.out.includes('run-failed')) this.blame(`${process.name} tells of a bug: ${process.out.slice(-300)}`);
    this.#mustKeepChosen(process);
    this.#mustHaveItsName(process);
    // One that its queue had given up may have told what it did in the end.
    for (const { job, found, claims } of process.jobs) {
      const wrong = claims.map((claim) => untrue(claim, job, found.state));
      if (wrong.every((each) => each !== undefined))
        this.blame(`${process.name} tells that ${job.stack} is ${found.state}, and its ${job.kind} is ${wrong.join()}`);
    }
    const failed = new Set([...process.out.matchAll(failedStep)].map(([, address = '']) => address));
    // A worker may have done since, in a try that was cut off, what it had told of the one before.
    const isOnly = process.results.length === 1 && !process.out.includes(' is tried again: ');
    for (const [nth, result] of process.results.entries()) {
      const { steps: results, status } = result;
      // A worker applies many times, and may change again what it wrote.
      const later = process.results.slice(nth + 1).flatMap((each) => writtenBy(process, each));
      const steps = new Map(stepsOf(process, result).map((step) => [step.address, step] as const));
      const held = process.carriedOut.get(result)?.guards.filter(({ lifted }) => lifted === undefined) ?? [];
      const lifting = liftingIn(process.argv, [], '');
      const [first] = held.filter(({ name }) => !lifting.has(name));
      if (first !== undefined && results.some(({ outcome }) => outcome === 'done'))
        this.blame(`${process.name} carries out what ${first.name} holds back`);
      if (status === 'done' && results.some(({ outcome }) => outcome !== 'done'))
        this.blame(`${process.name} is done, and a step is not`);
      if (status === 'failed' && results.some(({ outcome }) => outcome === 'done'))
        this.blame(`${process.name} tells that nothing was done, and a step was`);
      const told = new Set(results.map(({ address }) => address));
      const notDone = new Set(results.flatMap(({ address, outcome }) => (outcome === 'done' ? [] : [address])));
      for (const { address, action } of told.size === 0 ? [] : steps.values())
        if (written.has(action) && !told.has(address))
          this.blame(`${process.name} does not tell what became of ${address}`);
      for (const { address, action, outcome, id, diagnostics, because = '' } of results) {
        if (outcome === 'skipped' && !told.has(because) && because !== 'interrupted' && because !== 'stopped')
          this.blame(`${process.name} tells that ${address} waits for ${because}, which is none of its steps`);
        if (outcome === 'skipped' && told.has(because) && !notDone.has(because))
          this.blame(`${process.name} tells that ${address} waits for ${because}, which is done`);
        if (outcome === 'skipped' && isOnly && failed.has(address))
          this.blame(`${process.name} tells that ${address} has failed, and that it was not begun`);
        const made = outcome === 'skipped' ? this.#madeBy(process, address) : undefined;
        if (made !== undefined && action === 'create' && isOnly)
          this.blame(`${process.name} tells that ${address} was not begun, and it has made ${made}`);
        const step = steps.get(address);
        const thing = this.witness.thingOf(step?.type ?? '', id ?? step?.id ?? '');
        // What has given its name away first is told as half done, and what goes along with another one as that one's.
        const isByItself = diagnostics === undefined && (because === 'interrupted' || because === 'stopped');
        const isSkipped = outcome === 'skipped' && isByItself && isOnly;
        if (isSkipped && (action === 'update' || action === 'delete') && thing !== undefined)
          if (this.witness.touched.get(thing.id)?.some(({ by }) => by === process) === true)
            this.blame(`${process.name} tells that ${address} was not begun, and it has written ${thing.id}`);
        // What was to go along has no call of its own: nobody knows what became of it where nobody knows that of the call.
        const isAlong = outcome === 'skipped' && action === 'delete' && notDone.has(because);
        if (isAlong && thing !== undefined && process.results.length === 1 && this.#isEndedBy(process, thing))
          this.blame(`${process.name} tells that ${address} waits for ${because}, and it has ended ${thing.id}`);
        if (step?.action === 'replace' && outcome !== 'done' && process.results.length === 1)
          this.#mustTellItsHalf(process, step, diagnostics);
        // In the end nobody is in anybody's way, and each answer is right; but what a run makes and ends itself moves its own lists.
        const [why] = diagnostics ?? [];
        // What a lookup finds then is said by its error (`lookups.ts`).
        const isRefused = process.refusals > 0 || /^(?:moving-list|nothing-found|several-found)$/.test(why?.code ?? '');
        if (outcome === 'failed' && this.world.decisions.isCalm && !isRefused)
          this.blame(`${process.name} fails with ${address}, which nothing refused: ${why?.summary ?? ''}`);
        if (outcome !== 'done') continue;
        if (action === 'replace' && step?.cause === 'drift')
          this.witness.madeForDrift.set(keyIn(step.type, id ?? ''), replacedIn(step));
        if (
          action === 'delete' &&
          thing !== undefined &&
          thing.collection !== 'policy' &&
          service.truth(thing) !== undefined
        )
          this.blame(`${process.name} has told that ${address} is deleted, and ${thing.id} lives`);
        const isLater = later.includes(keyIn(step?.type ?? '', id ?? step?.id ?? ''));
        if (action === 'replace' && id !== undefined && thing?.home !== undefined && !isLater)
          if (thing.collection !== 'policy' && this.#isEndedBy(process, thing))
            this.blame(`${process.name} has told that ${address} is ${id} now, which it has ended`);
        if (action !== 'create' && action !== 'update') continue;
        if (action === 'create' && thing !== undefined && this.witness.isPeoplesOld(thing, process.startedAt))
          this.blame(`${process.name} has told that it has made ${address}, and people made ${thing.id} long before`);
        if (thing === undefined) {
          if (step?.type.endsWith(':Policy') !== true)
            this.blame(`${process.name} has told that ${address} is written, and no such thing was ever made`);
        } else if (
          !isLater &&
          !this.#isOthers(thing, process) &&
          !this.#isEndedBy(process, thing) &&
          step !== undefined
        )
          this.#mustBeWritten(process, step, thing);
      }
    }
    time.note(
      `${process.name} told ${process.results.map(({ status }) => status).join()} ${String(process.out.length)}`,
    );
  }

  /** Of a new object that was to take the place of an old one, that one alone was made, or ended: that is told. */
  #mustTellItsHalf(
    process: Process,
    { address, type, id = '', order }: PlanStep,
    diagnostics: readonly Pick<Diagnostic, 'code'>[] = [],
  ): void {
    const { name, stack, out, answered } = process;
    const old = this.witness.thingOf(type, id);
    // Of what its own end came to it may have had no answer, or the state none of it.
    const isOpen = this.witness.intents().some((each) => each.stack === stack && each.address === address);
    if (old === undefined || isOpen || leaseTrouble.test(out) || !this.world.isInPeace(process)) return;
    const isMade = [...answered].some((made) => this.witness.madeAt.get(made) === `${stack} ${address}`);
    const isHalf = order === 'delete-first' ? !isMade && this.#isEndedBy(process, old) : isMade;
    if (isHalf && !diagnostics.some(({ code }) => code === 'half-done'))
      this.blame(`${name} does not tell that one half of ${address} was done`);
  }

  #madeBy(process: Process, address: string): string | undefined {
    const made = [...this.witness.makers].filter(
      ([id]) => this.witness.madeAt.get(id) === `${process.stack} ${address}`,
    );
    return made.find(([, maker]) => maker === process)?.[0];
  }

  /** What is taken over by its name has, or had, that name. */
  #mustHaveItsName({ name, argv, results, carriedOut, keys }: Process): void {
    // An undo goes by what was called so before.
    if (argv[0] === 'undo') return;
    for (const result of results)
      for (const { address, type, reasons, id = '' } of carriedOut.get(result)?.steps ?? []) {
        const isByName = reasons.some(({ kind }) => kind === 'found-by-key' || kind === 'key-exists');
        const isDone = result.steps.some((step) => step.address === address && step.outcome === 'done');
        const thing = this.witness.thingOf(type, id);
        const key = keys.get(`${carriedOut.get(result)?.stack ?? ''} ${address}`);
        if (!isByName || !isDone || thing === undefined || key === undefined || thing.collection === 'policy') continue;
        const field = keyFields[thing.collection];
        if (!thing.history.some(({ values }) => same(values?.[field], key)))
          this.blame(`${name} takes over ${id} as ${address}, and it was never called ${key}`);
      }
  }

  /** What a command line leaves out is left out. */
  #mustKeepChosen(process: Process): void {
    const { name, stack, plans, results, startedAt } = process;
    const excluded = wordAfter(process, '--exclude');
    const isWithin = (address: string): boolean =>
      excluded !== undefined && !chooses({ targets: [], excludes: [excluded] })(address);
    // By its files, where nobody has written them since; what ends all goes by what is recorded.
    const isOfFiles = goesByFiles(process) && (this.world.writtenAt.get(stack) ?? 0) < startedAt;
    const { blocks = new Map<string, Block>() } = isOfFiles ? (this.world.catalogues.get(stack) ?? {}) : {};
    const isOut = (address: string): boolean =>
      isWithin(address) || neededBy(blocks.get(address)).some((needed) => isOut(needed));
    const types = new Map(plans.flatMap(({ steps }) => steps.map(({ address, type }) => [address, type] as const)));
    for (const { steps } of results)
      for (const { address, action } of steps) {
        if (isWithin(address)) this.blame(`${name} does something with what it excludes`);
        else if (isOut(address)) this.blame(`${name} does something with ${address}, which needs what it excludes`);
        if (process.argv.includes('--no-delete') && (action === 'delete' || action === 'replace'))
          this.blame(`${name} ends ${address}, a ${types.get(address) ?? 'thing'}`);
      }
  }

  /** It went along with what it lived in, which the plan has said. */
  #isEndedBy(process: Process, thing: Thing): boolean {
    return this.world.service.truth(thing) === undefined && this.witness.touched.get(thing.id)?.at(-1)?.by === process;
  }

  #isOthers(thing: Thing, process: Process): boolean {
    return (this.witness.touched.get(thing.id) ?? []).some(({ at, by }) => by !== process && at >= process.startedAt);
  }

  #mustBeWritten(process: Process, step: PlanStep, thing: Thing): void {
    const truth: JsonObject = this.world.service.truth(thing) ?? {};
    for (const { field, new: wanted, cannotClear } of step.fields) {
      // Where it stands, a policy's answers do not repeat.
      if (
        wanted === undefined ||
        cannotClear === true ||
        isUnknown(wanted) ||
        (thing.collection === 'policy' && field === 'siteId')
      )
        continue;
      if (!same(truth[field], wanted))
        this.blame(
          `${process.name} has told that ${step.address}.${field} is written, and it is ${JSON.stringify(truth[field])}`,
        );
    }
  }
}

/** What it carried out. */
function stepsOf({ carriedOut }: Process, result: ApplyResult): readonly PlanStep[] {
  return carriedOut.get(result)?.steps ?? [];
}

/** Types and ids of what it has done something with: a policy has the id of its site. */
function writtenBy(process: Process, result: ApplyResult): readonly string[] {
  const steps = new Map(stepsOf(process, result).map((step) => [step.address, step] as const));
  return result.steps.flatMap(({ address, outcome, id }) => {
    const step = steps.get(address);
    return outcome === 'done' ? [keyIn(step?.type ?? '', id ?? step?.id ?? '')] : [];
  });
}
