import type { Json } from '@platform-sync/core/model/value';

/** Numbers that look like chance and follow from a seed and a name: what one part of a world draws moves no other part. */
export class Chance {
  #state: number;

  constructor(seed: number, name: string) {
    let state = seed >>> 0;
    for (let at = 0; at < name.length; at += 1) state = mixed(state ^ name.charCodeAt(at));
    this.#state = mixed(state);
  }

  /** At least 0, below 1. */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    return mixed(this.#state) / 2 ** 32;
  }

  /** A whole number: at least `least`, at most `most`. */
  between(least: number, most: number): number {
    return least + Math.floor(this.next() * (most - least + 1));
  }

  /** True so many times in a thousand. */
  happens(perMille: number): boolean {
    return perMille > 0 && this.next() * 1000 < perMille;
  }

  pick<T>(from: readonly T[]): T {
    const picked = from[this.between(0, from.length - 1)];
    if (picked === undefined) throw new Error('nothing to pick from');
    return picked;
  }

  hex(digits: number): string {
    let text = '';
    while (text.length < digits)
      text += Math.floor(this.next() * 0x10000)
        .toString(16)
        .padStart(4, '0');
    return text.slice(0, digits);
  }

  uuid(): string {
    const all = this.hex(31);
    return `${all.slice(0, 8)}-${all.slice(8, 12)}-4${all.slice(12, 15)}-8${all.slice(15, 18)}-${all.slice(18, 30)}`;
  }
}

function mixed(seed: number): number {
  let state = seed;
  state = Math.imul(state ^ (state >>> 16), 0x21f0aaad);
  state = Math.imul(state ^ (state >>> 15), 0x735a2d97);
  return (state ^ (state >>> 15)) >>> 0;
}

/**
 * All that a world leaves open, by name. Of a number each follows from that and its name, so that leaving out one part of a world
 * moves no other. Of what is given nothing is drawn; a world that is a list of events has no number, and gives all that is not as usual.
 */
export class Decisions {
  readonly #drawn: (readonly [name: string, drawn: unknown, usual: unknown])[] = [];
  readonly #seed: number | undefined;
  readonly #given: Readonly<Record<string, Json>>;
  /** From now on all is as usual. */
  isCalm = false;

  constructor(seed: number | undefined, given: Readonly<Record<string, Json>> = {}) {
    this.#seed = seed;
    this.#given = given;
  }

  of<T>(name: string, usual: T, draw: (chance: Chance) => T): T {
    if (this.isCalm) return usual;
    const given = this.#given[name] as T | undefined;
    if (this.#seed === undefined) return given ?? usual;
    const drawn = given ?? draw(new Chance(this.#seed, name));
    this.#drawn.push([name, drawn, usual]);
    return drawn;
  }

  /** Whether something happens when all else is quiet. */
  atRest(name: string, perMille: number): boolean {
    const { isCalm } = this;
    this.isCalm = false;
    const isSo = this.of(name, false, (chance) => chance.happens(perMille));
    this.isCalm = isCalm;
    return isSo;
  }

  /** Those that were not as usual. */
  get unusual(): Readonly<Record<string, Json>> {
    const unusual = this.#drawn.filter(([, drawn, usual]) => JSON.stringify(drawn) !== JSON.stringify(usual));
    return Object.fromEntries(unusual.map(([name, drawn]) => [name, drawn as Json]));
  }
}
