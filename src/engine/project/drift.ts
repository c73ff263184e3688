import { defined } from '../model/defined.js';
import { driftSeverities, isDate, isWebhookUrl } from '../model/drift.js';
import type { DriftRule, DriftSettings, DriftSeverity } from '../model/drift.js';
import type { Expression } from '../model/expression.js';
import type { BuildContext } from '../catalogue/read/build-context.js';
import { plainValue } from './plain-value.js';
import { listItems, mapEntries, plainText, refuseUnknownKeys, type Entries } from '../catalogue/read/shape.js';

const keys = ['severity', 'ignore', 'unmanaged', 'webhook', 'format', 'secret'];
const formats = ['generic', 'slack'] as const;

/** `drift:` of sync.yaml. */
export function driftSettings(value: Expression, context: BuildContext): DriftSettings {
  const entries = mapEntries(value, '"drift"', context);
  refuseUnknownKeys(entries, keys, '"drift"', context);
  const unset: string[] = [];
  const webhook = webhookUrl(entries.get('webhook')?.value, unset, context);
  const secret = signingKey(entries.get('secret')?.value, unset, context);
  return {
    severity: severities(entries.get('severity')?.value, context),
    ignore: rules(entries.get('ignore')?.value, context),
    ...defined({ unmanaged: unmanaged(entries.get('unmanaged')?.value, context), webhook }),
    format: oneOf(entries.get('format')?.value, '"drift.format"', formats, context) ?? 'generic',
    ...defined({ secret }),
    unset,
  };
}

function webhookUrl(value: Expression | undefined, unset: string[], context: BuildContext): string | undefined {
  if (value === undefined) return undefined;
  // Whoever has the address of a webhook can post there: no message quotes it.
  context.sources.hide(value.at);
  if (context.broken.has(value)) unset.push('drift.webhook');
  const given = plainValue(value, context).value;
  if (given === null || given === '') return undefined;
  if (typeof given === 'string' && isWebhookUrl(given)) return given;
  context.problems.add('bad-setting', value.at, '"drift.webhook" must be a URL that starts with https://.', {
    hint: 'webhook: !env SYNC_DRIFT_WEBHOOK',
  });
  return undefined;
}

function signingKey(value: Expression | undefined, unset: string[], context: BuildContext): string | undefined {
  if (value === undefined) return undefined;
  context.sources.hide(value.at);
  if (context.broken.has(value)) unset.push('drift.secret');
  const { value: given, secret } = plainValue(value, context);
  if (context.broken.has(value) || given === null) return undefined;
  if (!secret) {
    context.problems.add('literal-secret', value.at, '"drift.secret" stands in plain text.', {
      detail: 'Files end up in version control.',
      hint: 'secret: !env SYNC_DRIFT_SECRET',
    });
    return undefined;
  }
  return String(given) === '' ? undefined : String(given);
}

function severities(value: Expression | undefined, context: BuildContext): Readonly<Record<string, DriftSeverity>> {
  if (value === undefined) return {};
  return Object.fromEntries(
    [...mapEntries(value, '"drift.severity"', context)].flatMap(([name, entry]) => {
      const severity = oneOf(entry.value, `"drift.severity.${name}"`, driftSeverities, context);
      return severity === undefined ? [] : [[name, severity] as const];
    }),
  );
}

function unmanaged(value: Expression | undefined, context: BuildContext): DriftSettings['unmanaged'] {
  if (value === undefined) return undefined;
  const what = '"drift.unmanaged"';
  if (value.kind !== 'list') {
    const word = oneOf(value, what, ['none', 'visible', 'all'] as const, context);
    return word === 'none' ? undefined : word;
  }
  const names = value.items.flatMap((item) => plainText(item, `An item of ${what}`, context) ?? []);
  return names.length === 0 ? undefined : names;
}

function rules(value: Expression | undefined, context: BuildContext): readonly DriftRule[] {
  if (value === undefined) return [];
  return listItems(value, '"drift.ignore"', context).flatMap((item) => rule(item, context));
}

function rule(item: Expression, context: BuildContext): readonly DriftRule[] {
  const what = 'An item of "drift.ignore"';
  const entries = mapEntries(item, what, context);
  if (item.kind !== 'map') return [];
  refuseUnknownKeys(entries, ['address', 'field', 'reason', 'until'], what, context);
  const text = (name: string): string | undefined => {
    const entry = entries.get(name);
    return entry === undefined ? undefined : plainText(entry.value, `"${name}" of "drift.ignore"`, context);
  };
  for (const name of ['address', 'reason']) {
    if (!entries.has(name))
      context.problems.add('missing-setting', item.at, `${what} needs ${name === 'address' ? 'an' : 'a'} "${name}".`);
  }
  const [address, field, reason, until] = [
    text('address'),
    text('field'),
    text('reason'),
    dateOf(entries, 'drift.ignore', context),
  ];
  if (address === undefined || reason === undefined) return [];
  const { file, line, column } = context.sources.place(item.at);
  return [
    {
      ...{ address, reason, source: `${file}:${line}:${column}` },
      ...defined({ field, until }),
    },
  ];
}

/** The `until` of an item of this list. */
export function dateOf(entries: Entries, list: string, context: BuildContext): string | undefined {
  const entry = entries.get('until');
  if (entry === undefined) return undefined;
  const text = plainText(entry.value, `"until" of "${list}"`, context);
  if (text === undefined || isDate(text)) return text;
  context.problems.add('bad-setting', entry.value.at, `"${text}" is no date.`, { hint: 'until: 2030-01-31' });
  return undefined;
}

function oneOf<T extends string>(
  value: Expression | undefined,
  what: string,
  allowed: readonly T[],
  context: BuildContext,
): T | undefined {
  if (value === undefined) return undefined;
  const text = plainText(value, what, context);
  const found = allowed.find((one) => one === text);
  if (text !== undefined && found === undefined) {
    context.problems.add(
      'not-allowed',
      value.at,
      `${what} must be ${allowed.slice(0, -1).join(', ')} or ${allowed.at(-1) ?? ''}.`,
    );
  }
  return found;
}
