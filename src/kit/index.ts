/**
 * What a provider of one's own needs: definitions of types as data, the package made of them, and the suite that holds the
 * package against a service.
 *
 * @packageDocumentation
 */
import type { ProviderPackage } from '../engine/model/provider.js';
import { unfitPattern } from '../engine/model/linear-pattern.js';
import { fieldPatterns, mustRun } from '../providers/field-schemas.js';
import { restPackage, type RestProvider } from '../providers/rest/package.js';
import { schemaChecks } from '../providers/schema-checks.js';

export type { Diagnostic } from '../engine/model/diagnostic.js';
export { ProviderError } from '../engine/model/provider.js';
export type { Provider, ProviderContext, ProviderPackage } from '../engine/model/provider.js';
export type { AbsenceRule, Clearing, Equality } from '../engine/model/resource-type.js';
export type { Json, JsonObject } from '../engine/model/value.js';
export { crud } from '../providers/rest/crud.js';
export type * from '../providers/rest/definition.js';
export type { Reached, RestProvider } from '../providers/rest/package.js';
export type * from '../providers/rest/paging.js';
export type { CallHooks, ReadWriteOnly } from '../providers/rest/provider.js';
export type { Base, Call, Session } from '../providers/rest/session.js';
export type { FieldKind, Naming, PlanHooks, RestStyle } from '../providers/rest/style.js';
export { checkConformance } from './conformance.js';
export type * from './conformance-row.js';

/** The package of a provider, to be named among `packages` of `openProject`. Throws on definitions that contradict themselves. */
export function defineProvider(provider: RestProvider): ProviderPackage {
  mustRun(fieldPatterns(provider.definitions), unfitPattern);
  return restPackage(provider, schemaChecks());
}
