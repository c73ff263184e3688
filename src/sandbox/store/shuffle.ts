/** A seeded source of numbers in [0, 1): the same seed gives the same sequence on every machine. */
export function randomSource(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** A copy in random order (Fisher–Yates). */
export function shuffled<T>(items: readonly T[], random: () => number): T[] {
  const result: T[] = [];
  for (const item of items) {
    const place = Math.floor(random() * (result.length + 1));
    const moved = result[place];
    if (place < result.length && moved !== undefined) {
      result.push(moved);
      result[place] = item;
    } else {
      result.push(item);
    }
  }
  return result;
}

/** A fixed order that has nothing to do with creation: walking pages still meets every row once. */
export function scatter<T extends { readonly id?: unknown }>(rows: readonly T[], seed: number): readonly T[] {
  const weighed = rows.map((row) => ({ row, id: String(row.id), weight: hash(seed, String(row.id)) }));
  weighed.sort((a, b) => a.weight - b.weight || (a.id < b.id ? -1 : 1));
  return weighed.map(({ row }) => row);
}

function hash(seed: number, text: string): number {
  let value = (2_166_136_261 ^ seed) >>> 0;
  for (let at = 0; at < text.length; at += 1) value = Math.imul(value ^ text.charCodeAt(at), 16_777_619) >>> 0;
  return value;
}
