import { defined } from '@platform-sync/core/model/defined';
import { isWebhookUrl, type DriftRule, type DriftSettings, type DriftSeverity } from '@platform-sync/core/model/drift';
import type { BuildContext } from '../read/build-context.js';
import type { CheckedSettings } from './checked-settings.js';
import { realDate } from './dates.js';
import type { Settings } from '../generated/settings.js';

/** `drift:` of sync.yaml. */
export function driftSettings(settings: CheckedSettings, context: BuildContext): DriftSettings {
  const drift = settings.value.drift ?? {};
  const isUnread = (name: string): boolean => {
    const written = settings.written('drift', name);
    return written !== undefined && context.broken.has(written);
  };
  return {
    severity: severities(drift.severity ?? {}),
    ignore: rules(settings, context),
    ...defined({ flapping: flapping(drift.flapping) }),
    ...defined({ unmanaged: unmanaged(drift.unmanaged), webhook: webhookUrl(settings, context) }),
    format: drift.format ?? 'generic',
    ...defined({ secret: signingKey(settings, context) }),
    unset: ['webhook', 'secret'].filter(isUnread).map((name) => `drift.${name}`),
  };
}

function severities(
  given: Readonly<Record<string, DriftSeverity | undefined>>,
): Readonly<Record<string, DriftSeverity>> {
  return Object.fromEntries(Object.entries(given).flatMap(([name, one]) => (one === undefined ? [] : [[name, one]])));
}

function webhookUrl({ value, at }: CheckedSettings, context: BuildContext): string | undefined {
  const given = value.drift?.webhook ?? '';
  if (given === '' || isWebhookUrl(given)) return given === '' ? undefined : given;
  // No message quotes it: whoever has the address of a webhook can post there.
  const summary = '"drift.webhook" must be a URL that starts with https://.';
  context.problems.add('bad-setting', at('drift', 'webhook'), summary, { hint: 'webhook: !env SYNC_DRIFT_WEBHOOK' });
  return undefined;
}

function signingKey({ value, at, written }: CheckedSettings, context: BuildContext): string | undefined {
  const given = value.drift?.secret;
  const text = written('drift', 'secret');
  if (given === undefined || text === undefined || context.broken.has(text)) return undefined;
  if (text.kind === 'secret') return given === '' ? undefined : given;
  context.problems.add('literal-secret', at('drift', 'secret'), '"drift.secret" stands in plain text.', {
    detail: 'Files end up in version control.',
    hint: 'secret: !env SYNC_DRIFT_SECRET',
  });
  return undefined;
}

function unmanaged(given: NonNullable<Settings['drift']>['unmanaged']): DriftSettings['unmanaged'] {
  if (typeof given === 'string') return given === 'none' ? undefined : given;
  const names = (given ?? []).flatMap((name) => name ?? []);
  return names.length === 0 ? undefined : names;
}

function flapping(given: NonNullable<Settings['drift']>['flapping']): DriftSettings['flapping'] {
  return given === undefined || given === null ? undefined : { times: given.times ?? 3, hours: given.hours ?? 24 };
}

function rules({ value, at }: CheckedSettings, context: BuildContext): readonly DriftRule[] {
  return (value.drift?.ignore ?? []).flatMap((item, index) => {
    if (!item) return [];
    const { address, reason, field } = item;
    const until = realDate(item.until, at('drift', 'ignore', index, 'until'), context);
    const { file, line, column } = context.sources.place(at('drift', 'ignore', index));
    return [{ address, reason, source: `${file}:${line}:${column}`, ...defined({ field, until }) }];
  });
}
