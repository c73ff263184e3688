/** Ids of the seed are the same everywhere: a kind and a number in a fixed UUID, so that examples can name them. */
export function fixedId(kind: SeedKind, number: number): string {
  const tail = number.toString(16).padStart(2, '0');
  return `8a1c6f0e-2f0b-4c55-9b7e-0d6d2c1f${kinds[kind]}${tail}`;
}

const kinds = {
  controlPlane: '0a',
  gatewayService: '0b',
  portal: '0c',
  classicPortal: '0d',
  team: '0e',
  systemAccount: '0f',
  network: '10',
  providerAccount: '11',
  meshControlPlane: '12',
  authStrategy: '13',
  user: '14',
} as const;

type SeedKind = keyof typeof kinds;

const start = Date.UTC(2025, 0, 1, 8);
const minute = 60_000;

/** Times of the n-th object of a kind: made a minute after the one before, changed a day later. */
export function times(number: number): { readonly created_at: string; readonly updated_at: string } {
  const created = start + number * minute;
  return {
    created_at: new Date(created).toISOString(),
    updated_at: new Date(created + 24 * 60 * minute).toISOString(),
  };
}

/** The n-th of a list, starting over at its end. */
export function cycle<T>(values: readonly [T, ...T[]], number: number): T {
  return values[number % values.length] ?? values[0];
}
