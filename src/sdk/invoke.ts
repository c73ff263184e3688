import { DiagnosticError } from '@platform-sync/core/model/diagnostic';
import { ProviderError } from '@platform-sync/core/model/provider';
import { Redactor } from '@platform-sync/core/model/redactor';
import { hasSecret, reveal, secret, unknown, type JsonObject, type Value } from '@platform-sync/core/model/value';
import { makeOutput } from './output.js';
import type { Called } from './connection.js';
import { connectionOf, type AnyProvider } from './provider-instance.js';
import { refuse } from './refuse.js';
import { resolveInput, waitsOf, type Resolved } from './resolve.js';
import type { Output, OutputMethods } from './types.js';

/** Options of a function's direct form. */
export interface InvokeOptions<Instance extends AnyProvider> {
  /** Which instance to call. Default: the one that takes its settings from the environment. */
  readonly provider?: Instance;
}

/** Options of a function's output form. */
export interface InvokeOutputOptions<Instance extends AnyProvider> extends InvokeOptions<Instance> {
  /** Outputs that must be known before the call is made. The result depends on what they depend on. */
  readonly dependsOn?: Awaitable | readonly Awaitable[];
}

type Awaitable = OutputMethods<unknown> | PromiseLike<unknown>;

/** One lookup with plain arguments. Rejects with DiagnosticError before anything is sent, or with ProviderError. */
export async function invoke<Result>(instance: AnyProvider, called: Called, args: unknown): Promise<Result> {
  refuseOther(instance, called);
  return asResult<Result>(await connectionOf(instance).call(called, args));
}

/** One lookup with arguments that may still have to come. Nothing is called while one of them is unknown. */
export function invokeOutput<Result>(
  instance: AnyProvider,
  called: Called,
  args: unknown,
  dependsOn: unknown,
): Output<Result> {
  const resolved = resolveCall(instance, called, resolveInput(args), resolveInput(dependsOn));
  return makeOutput<Result>(() => resolved);
}

async function resolveCall(
  instance: AnyProvider,
  called: Called,
  given: Promise<Resolved>,
  awaited: Promise<Resolved>,
): Promise<Resolved> {
  // Waited for together: a rejection of one must not go unheard while another is waited for.
  const [args, before] = await Promise.all([given, awaited]);
  refuseOther(instance, called);
  const connection = connectionOf(instance);
  const settings = await connection.settings();
  const waitsFor = waitsOf([args.value, before.value, settings.value]);
  const value =
    waitsFor === undefined
      ? await connection.call(called, reveal(args.value)).catch(withoutSecrets(args.value))
      : unknown(waitsFor);
  const dependencies = new Set([...args.dependencies, ...before.dependencies, ...settings.dependencies]);
  return { value: hasSecret(args.value) ? secret(value, 'secret') : value, dependencies };
}

/** The schema that the types are made from is the one that the provider shapes its answer by. */
function asResult<Result>(record: JsonObject): Result {
  return record as Result;
}

function refuseOther(instance: AnyProvider, called: Called): void {
  const token = typeof called === 'string' ? called : called.type;
  const owner = token.slice(0, token.indexOf(':'));
  if (instance.name === owner) return;
  const name = token.slice(token.lastIndexOf(':') + 1);
  const sentence = `${name} belongs to the provider ${owner}; options.provider is an instance of ${instance.name}.`;
  throw refuse('wrong-provider-instance', sentence);
}

/** Messages name the arguments they are about; secret ones are taken out again. */
function withoutSecrets(args: Value): (error: unknown) => never {
  const redactor = new Redactor();
  redactor.addValue(args);
  return (error) => {
    if (error instanceof ProviderError) {
      const details = error.status === undefined ? {} : { status: error.status };
      throw new ProviderError(error.kind, redactor.diagnostics(error.diagnostics), details);
    }
    if (error instanceof DiagnosticError) throw new DiagnosticError(redactor.diagnostics(error.diagnostics));
    throw error;
  };
}
