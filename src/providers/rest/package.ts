import {
  ProviderError,
  type ProviderContext,
  type ProviderPackage,
  type SchemaViolation,
} from '@platform-sync/core/model/provider';
import type { ResourceType } from '@platform-sync/core/model/resource-type';
import { defined, type JsonObject } from '@platform-sync/core/model/value';
import type { PackageSchema } from './schema/package-schema.js';
import { providerSettings } from './schema/package.js';
import { contradictions } from './contradictions.js';
import type { TypeDefinition } from './definition.js';
import { definitionsAtHand } from './definition-source.js';
import type { CallHooks } from './provider.js';
import type { Connection } from './session.js';
import type { PlanHooks, RestStyle } from './style.js';
import { definedTypes } from './resource-type.js';

/** A provider as its author writes it: definitions, and how its service is reached. */
export interface RestProvider {
  /** First part of its types' tokens, and its block under `providers:` in sync.yaml. */
  readonly name: string;
  /** What the block may hold. */
  readonly settings?: NonNullable<PackageSchema['config']>['variables'];
  readonly style: RestStyle;
  readonly definitions: readonly TypeDefinition[];
  readonly planHooks?: PlanHooks;
  readonly callHooks?: CallHooks;
  /** Rejects with a configuration error when the settings can't work, or an address is not to be trusted. Sends nothing. */
  readonly connect: (context: ProviderContext) => Promise<Reached>;
}

/** Where a service is, and how calls to it are made. */
export interface Reached extends Omit<Connection, 'http' | 'redactor' | 'onDiagnostic' | 'onWait' | 'world'> {
  /** The address, as plans and state are bound to it. */
  readonly target: string;
  /** Where that address was set, for people: `The setting serverUrl`. */
  readonly targetSource: string;
  readonly subject?: string;
  /** Names who asks: runs of a round that have the same one share what they read. Left out: they share nothing. */
  readonly caller?: string;
  /** Ends what making headers has begun. */
  readonly close?: () => Promise<void>;
}

/** Checks declared properties of a type by a JSON schema's rules. */
export type Check = (type: ResourceType, properties: JsonObject) => Promise<readonly SchemaViolation[]>;

/** The package of a provider that is made of definitions; `check` knows how to hold values against schemas. */
export function restPackage(provider: RestProvider, check: Check): ProviderPackage {
  const { name, style, definitions, planHooks = {} } = provider;
  const source = definitionsAtHand(definitions, style);
  const { types, restOf } = definedTypes({ provider: name, source, style, hooks: planHooks });
  return {
    name,
    types,
    lookups: new Map(),
    settings: providerSettings({ name, description: '', config: { variables: provider.settings ?? {} } }),
    validate: async (token, properties) => {
      const type = types.get(token);
      if (type === undefined) throw new Error(`bug: no resource type ${token}`);
      return [...(await check(type, properties)), ...contradictions(type, restOf(type), properties)];
    },
    validateLookup: (token) => {
      throw new Error(`bug: no lookup ${token}`);
    },
    start: async (context) => {
      const { target, targetSource, subject, close, caller, ...reached } = await provider.connect(context);
      const [{ HttpClient }, { Session }, { objectCalls }] = await Promise.all([
        import('./http/client.js'),
        import('./session.js'),
        import('./provider.js'),
      ]);
      const http = new HttpClient({ ...context, caller });
      const { redactor, onDiagnostic, onWait, world } = context;
      const session = new Session({ ...reached, http, redactor, onDiagnostic, onWait, world });
      return {
        ...{ name, target, targetSource, ...defined({ subject }), types },
        ...objectCalls(session, restOf, provider.callHooks),
        lookup: (token) =>
          Promise.reject(
            new ProviderError('invalid', [
              { severity: 'error', code: 'unknown-lookup', summary: `There is no lookup ${token}.` },
            ]),
          ),
        requests: () => http.requests,
        close: async () => void (await Promise.all([http.close(), close?.()])),
      };
    },
  };
}
