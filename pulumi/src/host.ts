import { providerPackages } from '@platform-sync/sdk/registry';
import { markedPackage } from '@platform-sync/engine/loaded-packages';
import { engineVersion } from '@platform-sync/engine/version';
import type { PackageSchema } from '@platform-sync/rest/schema/package-schema';
import { Session } from './session.js';

/** What one process serves: one package, for one provider resource. */
export interface Host {
  readonly session: Session;
  /** What the package offers beside resources. */
  readonly base: PackageSchema;
  /** JSON text of the whole package schema, which only generators of code and programs in YAML ask for. */
  readonly schemaText: () => Promise<string>;
  readonly version: string;
}

export async function hostOf(
  base: PackageSchema,
  env: Readonly<Record<string, string | undefined>>,
  schemaText: Host['schemaText'],
): Promise<Host> {
  const loaded = markedPackage(await providerPackages.load(base.name));
  return { session: new Session(loaded, env), base, schemaText, version: engineVersion };
}
