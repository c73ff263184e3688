import { makeOutput, once } from './output.js';
import { secret, unknown } from '@platform-sync/core/model/value';
import { connectionOf, type AnyProvider } from './provider-instance.js';
import { waitsOf, type Resolved } from './resolve.js';
import type { Output } from './types.js';

/** The configuration in force under its snake_case names: settings, else environment. Each secret one is a secret. */
export function terraformConfig<Result>(instance: AnyProvider): Output<Result> {
  return makeOutput<Result>(once(() => configuration(instance)));
}

async function configuration(instance: AnyProvider): Promise<Resolved> {
  const connection = connectionOf(instance);
  const { value, dependencies } = await connection.settings();
  const waitsFor = waitsOf(value);
  if (waitsFor !== undefined) return { value: unknown(waitsFor), dependencies };
  const { terraformConfig: read } = await import('@platform-sync/platform/settings');
  const found = Object.entries(read({ settings: await connection.plainSettings(), env: connection.env }));
  const result = found.map(([name, each]) => [name, each.secret ? secret(each.value, 'secret') : each.value] as const);
  return { value: { result: Object.fromEntries(result) }, dependencies };
}
