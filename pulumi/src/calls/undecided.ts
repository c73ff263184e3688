import { isMarked } from '@platform-sync/core/model/ownership-mark';
import { ProviderError, type Provider, type RemoteObject } from '@platform-sync/core/model/provider';
import { scopeOf } from '@platform-sync/engine/plan/ownership';
import { sentences } from '../failures.js';
import { idText } from '../resource-types.js';
import type { Wish } from './left-behind.js';

/** The object by its key, as a person would look for it: `Api (name "Pets", version "1")`. */
export function wordsFor({ type, sent }: Wish): string {
  const key = type.naturalKey.flatMap((name) => {
    const value = sent[name];
    return value === undefined || value === null ? [] : [`${name} ${JSON.stringify(value)}`];
  });
  return key.length === 0 ? type.name : `${type.name} (${key.join(', ')})`;
}

/** Its answer was lost, and so was the look for it: the engine keeps nothing of it, so the message has to name it. */
export function unclear(wish: Wish, lost: readonly string[], why: ProviderError): ProviderError {
  const { type } = wish;
  const isFound = isMarked(type) || type.unique.length > 0;
  return new ProviderError('ambiguous', [
    {
      severity: 'error',
      code: 'undecided-create',
      summary: `It is unclear whether ${wordsFor(wish)} was created: the answer was lost, and it could not be looked for.`,
      detail: [...lost, sentences(why.diagnostics)].join('\n'),
      hint: isFound
        ? 'Run the update again: it makes no second one, and takes over the existing one or names its id.'
        : 'Check whether it exists before you run the update again: the platform would make a second one.',
    },
  ]);
}

/** It may be one of these. */
export function undecided(wish: Wish, candidates: readonly RemoteObject[], cause: readonly string[]): ProviderError {
  const ids = candidates.map(({ identity }) => idText(wish.type, identity)).join(', ');
  return new ProviderError('ambiguous', [
    {
      severity: 'error',
      code: 'undecided-create',
      summary: `It is unclear whether ${wordsFor(wish)} was created: there is ${ids}, which has its key and is not as sent.`,
      ...(cause.length === 0 ? {} : { detail: cause.join('\n') }),
      hint: 'Import the right one, or delete it, and run the update again.',
    },
  ]);
}

/** "Already exists" says which object it is, where its key tells. */
export async function withExisting(
  provider: Provider,
  { type, sent }: Wish,
  error: ProviderError,
): Promise<ProviderError> {
  const found = await provider.find(type, scopeOf(type, sent), sent).catch(() => []);
  const ids = found.map(({ identity }) => idText(type, identity));
  if (ids.length === 0) return error;
  const hint = `To take it over: pulumi import ${type.token} NAME '${ids.join("' or '")}'`;
  return new ProviderError(
    error.kind,
    error.diagnostics.map((one) => ({ ...one, hint })),
    error.status === undefined ? {} : { status: error.status },
  );
}
