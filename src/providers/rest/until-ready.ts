import type { CallOptions, RemoteObject } from '@platform-sync/core/model/provider';
import type { ResourceType } from '@platform-sync/core/model/resource-type';
import { readObject } from './reading.js';
import type { RestType } from './rest-type.js';
import type { Session } from './session.js';

/**
 * The object once the platform has done with it. One that fails, or takes too long, exists all the same: that is told as
 * a warning, and the object comes back as it is.
 */
export async function untilReady(
  session: Session,
  type: ResourceType,
  rest: RestType,
  object: RemoteObject,
  options: CallOptions,
): Promise<RemoteObject> {
  const rule = rest.definition.ready;
  if (rule === undefined) return object;
  let last = object;
  for (let waited = 0; ; waited += rule.everyMs) {
    const status = last.values[rule.field] ?? null;
    if (rule.done.includes(status)) return last;
    const isFailed = rule.failed.includes(status);
    if (isFailed || waited >= rule.limitMs) {
      const code = isFailed ? 'refused-later' : 'not-ready';
      const what = isFailed ? 'came to nothing' : `was not done within ${rule.limitMs / 1000} s`;
      const summary = `${type.name} ${object.identity.id}: the work of the platform after the write ${what} (${rule.field}: ${String(status)}).`;
      session.warn({ severity: 'warning', code, summary });
      return last;
    }
    await session.wait(rule.everyMs, `${type.name} is not ready yet`, options.signal);
    last = (await readObject(session, type, rest, object.identity, options)) ?? last;
  }
}
