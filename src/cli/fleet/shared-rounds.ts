import type { Job, Round } from '@platform-sync/core/model/fleet';
import { defined } from '@platform-sync/core/model/value';
import type { World } from '@platform-sync/core/model/world';
import type { Fleet } from '@platform-sync/engine/use-cases/fleet';

/** What a round has read is forgotten when no job has run for so long. */
const keptMs = 30_000;

/** What the jobs of one tick share, of each kind the newest. */
export class Rounds {
  readonly #world: World;
  readonly #newest = new Map<Job['kind'], { readonly name: string; readonly round: Round }>();
  #underWay = 0;
  #forget: () => void = () => undefined;

  constructor(world: World) {
    this.#world = world;
  }

  of({ kind, round: name }: Job, fleet: Fleet): Round {
    const round = freshRound(fleet);
    if (name === undefined) return round;
    const known = this.#newest.get(kind);
    if (known?.name === name) return known.round;
    this.#newest.set(kind, { name, round });
    return round;
  }

  async during<T>(work: () => Promise<T>): Promise<T> {
    this.#forget();
    this.#underWay += 1;
    try {
      return await work();
    } finally {
      this.#underWay -= 1;
      if (this.#underWay === 0) this.#forget = this.#world.after(keptMs, () => this.#newest.clear(), { ref: false });
    }
  }
}

export function freshRound({ requestsPerMinute }: Fleet): Round {
  return defined({ requestsPerMinute });
}
