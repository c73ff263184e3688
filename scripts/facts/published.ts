import { readFileSync } from 'node:fs';
import { patternOf } from '@platform-sync/core/model/pattern';
import type { ResourceType } from '@platform-sync/core/model/resource-type';

/** Top-level fields of each resource of the vendor's Terraform provider, by what its reference says that a change does. */
const published = JSON.parse(
  readFileSync(new URL('../../test/facts/published.json', import.meta.url), 'utf8'),
) as Readonly<Record<string, { readonly replaces: readonly string[]; readonly updates: readonly string[] }>>;

/** Its resources, as it names them. */
export const publishedKinds: readonly string[] = Object.keys(published);

/** Its resources that have no type here, and why. */
export const publishedWithoutType: Readonly<Record<string, string>> = {
  cloud_gateway_configuration:
    'One call puts the configuration of a whole control plane in place, and none reads it under that place.',
};

/** Fields, `*` for anything, of which a change does here what it does not there, and why that is right. */
export const publishedArgued: readonly (readonly [fields: readonly string[], why: string])[] = [
  [
    ['ApplicationAuthStrategy.keyAuth', 'ApplicationAuthStrategy.openidConnect'],
    'PATCH takes `configs`, and the strategy keeps its id and all that is registered with it; only another kind of strategy replaces.',
  ],
];

export interface ComparedField {
  readonly type: string;
  readonly field: string;
  readonly here: 'update' | 'replace';
  readonly there: 'update' | 'replace';
}

const plain = (name: string): string =>
  name
    .replace('~p~', 'platform')
    .replace('~v~', 'vendor')
    .toLowerCase()
    .replace(/[^a-z0-9]/g, '');

/** Its resource → the type here of that name. */
export function publishedTypes(types: readonly ResourceType[]): ReadonlyMap<string, ResourceType> {
  const byName = new Map(types.map((type) => [plain(type.name), type]));
  return new Map(
    publishedKinds.flatMap((kind) => {
      const type = byName.get(plain(kind));
      return type === undefined ? [] : [[kind, type] as const];
    }),
  );
}

/** What a change of each field does that both have, here and there. */
export function comparedFields(types: readonly ResourceType[]): readonly ComparedField[] {
  return [...publishedTypes(types)].flatMap(([kind, type]) => {
    const { replaces = [], updates = [] } = published[kind] ?? {};
    const says = new Map<string, 'update' | 'replace'>([
      ...updates.map((field) => [plain(field), 'update'] as const),
      ...replaces.map((field) => [plain(field), 'replace'] as const),
    ]);
    return Object.values(type.fields).flatMap(({ name, input, onChange }) => {
      const there = says.get(plain(name)) ?? says.get(plain(name).replace(/id$/, ''));
      if (!input || there === undefined) return [];
      const here = type.updatable && onChange === 'update' ? 'update' : 'replace';
      return [{ type: type.name, field: name, here, there }];
    });
  });
}

/** Why a field is otherwise than there, where that is argued. */
export function whyOtherwise({ type, field }: ComparedField): string | undefined {
  return publishedArgued.find(([names]) => names.some((name) => patternOf(name).test(`${type}.${field}`)))?.[1];
}
