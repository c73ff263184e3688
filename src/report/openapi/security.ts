import { isList, type Json, type JsonObject } from '@platform-sync/core/model/value';
import { isRecord } from '../words/value.js';
import type { OpenApiRule } from './rules.js';

/** One way to be let in: what a scheme is → the scopes that it needs. Empty: nothing is needed. */
export type Requirement = ReadonlyMap<string, ReadonlySet<string>>;

/** The ways that a `security` lists; schemes are the same by what they ask of a call, not by their names. */
export function requirementsOf(document: JsonObject, security: Json | undefined): readonly Requirement[] {
  if (!isList(security)) return [];
  const components = document['components'];
  const schemes = (isRecord(components) ? components['securitySchemes'] : undefined) ?? document['securityDefinitions'];
  return security.filter(isRecord).map(
    (ways) =>
      new Map(
        Object.entries(ways).map(([name, scopes]) => {
          const scheme = isRecord(schemes) && Object.hasOwn(schemes, name) ? schemes[name] : undefined;
          return [isRecord(scheme) ? askedBy(scheme) : name, new Set(isList(scopes) ? scopes.map(String) : [])];
        }),
      ),
  );
}

function askedBy(scheme: JsonObject): string {
  const lower = scheme['in'] === 'header' || scheme['type'] === 'http';
  const words = ['type', 'in', 'name', 'scheme'].map((key) => String(scheme[key] ?? ''));
  return (lower ? words.map((word) => word.toLowerCase()) : words).join(' ');
}

/** What new requirements mean for a call that was let in before. */
export function securityRule(old: readonly Requirement[], now: readonly Requirement[]): OpenApiRule | undefined {
  const isOpen = (ways: readonly Requirement[]): boolean => ways.length === 0 || ways.some((way) => way.size === 0);
  if (isOpen(now)) return isOpen(old) ? undefined : 'security-removed';
  if (isOpen(old)) return 'security-added';
  if (!old.every((way) => now.some((other) => letsIn(other, way)))) return 'security-changed';
  return now.every((way) => old.some((other) => letsIn(other, way))) ? undefined : 'security-eased';
}

/** Whether whoever has all of `way` has all that `needed` asks. */
function letsIn(needed: Requirement, way: Requirement): boolean {
  return [...needed].every(([scheme, scopes]) => {
    const held = way.get(scheme);
    return held !== undefined && [...scopes].every((scope) => held.has(scope));
  });
}
