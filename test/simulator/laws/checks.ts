import type { DriftResult } from '@platform-sync/core/model/drift';
import type { FleetRow } from '@platform-sync/core/model/fleet';
import type { Intent } from '@platform-sync/core/model/state';
import { bodyOf } from '../ledger.js';
import type { Thing } from '../service.js';
import { type Process, isRound } from '../simulation.js';
import { hiddenFields, isIn, keyFields, nameOf, pathOf, rowsOf, same, untrue } from './facts.js';
import { withoutSecrets } from '../secrets.js';
import { Laws } from './laws.js';

/** So many runs a round looks at for one that applied something. */
const mostRuns = 20;

/** What is clean, and what rounds of a fleet tell. */
export class CheckLaws extends Laws {
  ended(process: Process): void {
    for (const check of process.checks) if (check.status === 'clean') this.#mustBeClean(process, check);
    if (isRound(process)) this.#roundIsTold(process);
  }

  /** A round tells of every stack, and of each what its own check came to. */
  #roundIsTold(process: Process): void {
    const { name, code } = process;
    const rows = rowsOf(process);
    // A broken command line, or one that was stopped, may have no round to tell.
    if (rows === undefined)
      return code === 0 || code === 2 || code === 3 ? this.blame(`${name} tells no round`) : undefined;
    const kind = process.argv[1] === 'check' ? 'check' : 'plan';
    for (const stack of this.world.scenario.stacks) {
      const state = rows.find((row) => row.stack === stack)?.state;
      // The files of a stack may be wrong: then nobody knows which it is.
      if (state === undefined && !rows.some((row) => row.state === 'failed')) this.blame(`${name} leaves out ${stack}`);
      const wrong = process.argv[1] === 'status' ? undefined : untrue(process, { kind, stack }, state);
      if (wrong !== undefined) this.blame(`${name} tells that ${stack} is ${state ?? ''}, and its ${kind} is ${wrong}`);
      const row = rows.find((each) => each.stack === stack);
      if (row !== undefined && /^(?:clean|drift|waiting|blocked)$/.test(row.state)) this.#appliedIsTold(process, row);
      if (code === 0 && state !== 'clean' && state !== 'waiting')
        this.blame(`${name} ends well, and ${stack} is ${state ?? 'left out'}`);
    }
  }

  /** A row says when its stack was applied last, whatever other command lines have written since. */
  #appliedIsTold({ name, startedAt }: Process, { stack, lastApply }: FleetRow): void {
    const rows = this.witness.history(stack);
    if (rows.some((row) => (this.witness.arrivedAt.get(nameOf(row)) ?? 0) >= startedAt)) return;
    const begun = rows.filter(({ kind }) => kind === 'begin').slice(-mostRuns);
    const last = begun.findLast(({ run }) => rows.some((row) => row.run === run && row.kind === 'plan'));
    if (last?.at !== lastApply?.at)
      this.blame(
        `${name} tells that ${stack} was applied at ${lastApply?.at ?? 'no time'}, and it was at ${last?.at ?? 'none'}`,
      );
  }

  /** Nobody has moved anything, as far as a check that says so could see; and it has looked at everything. */
  #mustBeClean(process: Process, check: DriftResult): void {
    const { converged, ignored: left, stack: of } = check;
    const { service } = this.world;
    // A worker looks at the same objects for jobs before and after this one, and beside it once its queue has given one up.
    const { from, to } = process.checkedAt.get(check) ?? { from: 0, to: 0 };
    this.witness.open.push(() => this.witness.mustHaveLooked(process, of, (address) => isIn(check, address)));
    if (process.liedAbout.size > 0) return;
    this.witness.open.push(() => {
      const came = this.witness.cameSince(process.startedAt);
      // Of what a run had begun to make anew, or to end, the check says what that has done.
      const open = new Set(this.witness.intents().map(({ id }) => id));
      const begun = [...this.witness.journal].flatMap(([id, row]) => {
        const intent = bodyOf<Intent>(row);
        const isOpen = open.has(id) || (this.witness.closedAt.get(id) ?? Infinity) >= process.startedAt;
        return isOpen && intent.action !== 'update' ? [{ ...intent, stack: row.stack }] : [];
      });
      // What lives in a home goes along.
      const isBegun = (of: string, address: string, home = ''): boolean =>
        begun.some((each) => each.stack === of && (each.address === address || each.identity?.id === home));
      // What its files give to another stack is that one's to compare.
      const given = new Set(this.world.catalogues.get(of)?.leaving.map(({ from }) => from));
      for (const { stack, address, id, type, inputs, outputs } of this.witness.known(process, of)) {
        const thing = this.witness.thingOf(type, id);
        if (came.has(`${stack} ${address}`) || isBegun(stack, address, thing?.home) || given.has(address)) continue;
        if (!isIn(check, address)) continue;
        const last = thing?.history.at(-1);
        const touches = this.witness.touched.get(thing?.id ?? '') ?? [];
        const isShown =
          last !== undefined && Math.max(last.alone, last.inLists, touches.at(-1)?.at ?? 0) < process.startedAt;
        if (stack !== of || thing === undefined) continue;
        const place = thing.collection === 'policy' ? pathOf(thing) : `${pathOf(thing)}/${id}`;
        const answers = (this.witness.shownAlone.get(`${process.name} ${place}`) ?? []).filter(
          ({ at }) => at >= from && at <= to && !process.hasGivenUp,
        );
        // What was called so may stand elsewhere by now, as what no record has yet.
        const isIt = (each: { readonly address: string; readonly type: string }): boolean =>
          each.address === address ||
          (each.type === type &&
            !process.options.has(`${stack} ${address}`) &&
            !this.witness.known(process, of).some((other) => other.address === each.address));
        if (converged.some(isIt)) continue;
        // Another address takes it over in these files.
        if ([...process.options.values()].some((options) => options?.import?.includes(id) === true)) continue;
        // Nor does one show where a policy stands.
        // So may one that has its name under another address.
        const key = outputs[keyFields[thing.collection]];
        const ignored = [...process.options].flatMap(([at, options]) =>
          at === `${stack} ${address}` ||
          options?.aliases?.includes(address) === true ||
          (key !== undefined && process.keys.get(at) === key)
            ? (options?.ignoreChanges ?? [])
            : [],
        );
        // A worker reads the files for each of its jobs.
        const block = this.world.catalogues.get(of)?.blocks.get(address);
        ignored.push(...(block?.options?.ignoreChanges ?? []));
        const hidden = [...(thing.collection === 'policy' ? ['siteId'] : hiddenFields), ...ignored];
        // What the file drops, and an answer lacks so short after a write, counts as there still.
        const isDoubted = (name: string): boolean =>
          block?.properties[name] === undefined &&
          (service.truth(thing)?.[name] ?? null) === null &&
          this.witness.isYoung({ ...process, stack }, address);
        const moved = Object.keys(inputs).filter(
          (name) =>
            !hidden.includes(name) &&
            !isDoubted(name) &&
            // Of what is gone a rule leaves out all.
            !left.some((found) => isIt(found) && (found.field ?? name) === name) &&
            !same(service.truth(thing)?.[name], withoutSecrets(outputs[name] ?? null)) &&
            this.#isByHand(thing, name) &&
            // One answer that shows it is enough not to call it clean.
            (isShown || answers.some(({ body }) => same(service.truth(thing)?.[name], body[name] ?? null))),
        );
        if (moved.length > 0)
          this.blame(`${process.name} has told that nothing drifted, and ${address}.${moved.join()} has`);
      }
    });
  }

  /** Whatever was written beside it since, people have changed that field last. */
  #isByHand({ id, history }: Thing, field: string): boolean {
    const touches = this.witness.touched.get(id) ?? [];
    // Settings stood there before anybody touched them.
    const values = history.map((each) => each.values?.[field] ?? null).slice(-touches.length - 1);
    const from = values.length - touches.length;
    const last = touches.findLastIndex((_, nth) => !same(values[nth + from - 1] ?? null, values[nth + from] ?? null));
    return last >= 0 && touches[last]?.by === undefined;
  }
}
