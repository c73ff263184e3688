/**
 * What a provider of one's own needs: definitions of types as data, the package made of them, and the suite that holds the
 * package against a service.
 *
 * @packageDocumentation
 */
import type { ProviderPackage } from '@platform-sync/core/model/provider';
import { unfitPattern } from '@platform-sync/core/model/linear-pattern';
import { fieldPatterns, mustRun } from '@platform-sync/rest/schema/field-schemas';
import { restPackage, type RestProvider } from '@platform-sync/rest/package';
import { schemaChecks } from '@platform-sync/rest/schema/schema-checks';

export type { Diagnostic } from '@platform-sync/core/model/diagnostic';
export { ProviderError } from '@platform-sync/core/model/provider';
export type { Provider, ProviderContext, ProviderPackage } from '@platform-sync/core/model/provider';
export type { AbsenceRule, Clearing, Equality } from '@platform-sync/core/model/resource-type';
export type { Json, JsonObject } from '@platform-sync/core/model/value';
export { crud } from '@platform-sync/rest/crud';
export type * from '@platform-sync/rest/definition';
export type { Reached, RestProvider } from '@platform-sync/rest/package';
export type * from '@platform-sync/rest/paging';
export type { CallHooks, ReadWriteOnly } from '@platform-sync/rest/provider';
export type { Base, Call, Session } from '@platform-sync/rest/session';
export type { FieldKind, Naming, PlanHooks, RestStyle } from '@platform-sync/rest/style';
export { checkConformance } from './conformance.js';
export type * from './conformance-row.js';

/** The package of a provider, to be named among `packages` of `openProject`. Throws on definitions that contradict themselves. */
export function defineProvider(provider: RestProvider): ProviderPackage {
  mustRun(fieldPatterns(provider.definitions), unfitPattern);
  return restPackage(provider, schemaChecks());
}
