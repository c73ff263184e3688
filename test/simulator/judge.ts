import { AgreementLaws } from './laws/agreement.js';
import { CauseLaws } from './laws/causes.js';
import { CheckLaws } from './laws/checks.js';
import { EndLaws } from './laws/end.js';
import { HistoryLaws } from './laws/history.js';
import { ObjectLaws } from './laws/objects.js';
import { PlanLaws } from './laws/plans.js';
import { ResultLaws } from './laws/results.js';
import { StateLaws } from './laws/state.js';
import { UndoLaws } from './laws/undo.js';
import { WriteLaws } from './laws/writes.js';
import type { Process, Simulation } from './simulation.js';
import { Witness } from './witness.js';

/** Holds a world against what must be true of it: after each event, when a run ends, and in the end. */
export class Judge {
  readonly witness: Witness;
  readonly writes: WriteLaws;
  readonly state: StateLaws;
  readonly plans: PlanLaws;
  readonly undo: UndoLaws;
  readonly end: EndLaws;
  readonly #ofRuns: readonly { ended(process: Process): void }[];

  constructor(world: Simulation) {
    const witness = new Witness(world);
    const objects = new ObjectLaws(witness);
    this.undo = new UndoLaws(witness);
    this.witness = witness;
    this.writes = new WriteLaws(witness);
    this.state = new StateLaws(witness);
    this.plans = new PlanLaws(witness);
    this.end = new EndLaws(witness, new AgreementLaws(witness), new HistoryLaws(witness), this.undo);
    const [causes, checks, results] = [new CauseLaws(witness), new CheckLaws(witness), new ResultLaws(witness)];
    this.#ofRuns = [this.state, this.plans, causes, this.undo, checks, results];
    world.service.onDeed = (deed) => objects.deed(deed, witness.doer);
  }

  ended(process: Process): void {
    this.witness.heard(process);
    for (const laws of this.#ofRuns) laws.ended(process);
  }
}
