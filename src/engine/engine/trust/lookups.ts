import type { Diagnostic } from '@platform-sync/core/model/diagnostic';
import { isObject, isSecret, type Value } from '@platform-sync/core/model/value';
import { matchesName, type Permissions } from './permissions.js';

/**
 * The secrets in a lookup's arguments that may not leave, as the catalogue writes them; empty: all may. One whose
 * variables can't be told (`!json`, `!join`) stays, whatever the permissions list.
 */
export function secretsThatStay(given: Value, permissions: Permissions, sendsNone: boolean): readonly string[] {
  const found = new Set<string>();
  const visit = (part: Value): void => {
    if (isSecret(part)) {
      if (sendsNone || !isListed(part.expression, permissions)) found.add(part.expression);
    } else if (Array.isArray(part)) part.forEach(visit);
    else if (isObject(part)) Object.values(part).forEach(visit);
  };
  visit(given);
  return [...found].sort();
}

/** `!env NAME`, also as a part of a text: `team-${!env NAME}`. */
function isListed(expression: string, permissions: Permissions): boolean {
  const [, whole] = /^!env (\S+)$/.exec(expression) ?? [];
  if (whole !== undefined) return matchesName(permissions.lookups, whole);
  const inner = [...expression.matchAll(/\$\{([^}]*)\}/g)].map(([, text = '']) => text);
  return inner.length > 0 && inner.every((text) => /^!env \S+$/.test(text) && isListed(text, permissions));
}

/** What to tell about a lookup whose arguments must not leave; undefined: they may. */
export function lookupRefusal(
  { token, given }: { readonly token: string; readonly given: Value },
  permissions: Permissions,
  sendsNone: boolean,
): Diagnostic | undefined {
  const kept = secretsThatStay(given, permissions, sendsNone);
  if (kept.length === 0) return undefined;
  const name = token.slice(token.lastIndexOf(':') + 1);
  const variables = kept.flatMap((text) => [...text.matchAll(/!env ([^\s}]+)/g)].map(([, variable = '']) => variable));
  return {
    severity: 'error',
    code: 'lookup-with-secret',
    summary: `An argument of ${name} is made from a secret (${kept.join(', ')}), and is not sent.`,
    detail: 'Lookups run when a plan is made, before anybody has reviewed the files.',
    hint: sendsNone
      ? 'plan --untrusted sends no secret in a lookup. Write the value plainly, or keep it for the plan after the merge.'
      : variables.length > 0
        ? `If this is intended: SYNC_POLICY='${JSON.stringify({ lookups: [...new Set(variables)] })}'`
        : 'Write the value plainly, or with !env alone, which permissions (SYNC_POLICY) can allow.',
  };
}
