import type { Simulation } from '../simulation.js';
import type { Witness } from '../witness.js';

/** Laws that hold in every world; whoever breaks one is blamed. */
export abstract class Laws {
  protected readonly witness: Witness;
  protected readonly world: Simulation;

  constructor(witness: Witness) {
    this.witness = witness;
    this.world = witness.world;
  }

  protected blame(what: string): void {
    this.witness.blame(what);
  }
}
