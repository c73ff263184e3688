import { providerPackages } from '../../src/providers/registry.js';
import { markedPackage } from '../../src/engine/marked-provider.js';
import { engineVersion } from '../../src/engine/version.js';
import type { PackageSchema } from '../../src/providers/package-schema.js';
import { pulumiSchema } from './schema.js';
import { Session } from './session.js';

/** What one process serves: one package, for one provider resource. */
export interface Host {
  readonly session: Session;
  readonly schema: PackageSchema;
  /** JSON text of the package schema, made when it is asked for. */
  readonly schemaText: () => string;
  readonly version: string;
}

export async function hostOf(schema: PackageSchema, env: Readonly<Record<string, string | undefined>>): Promise<Host> {
  const loaded = markedPackage(await providerPackages.load(schema.name));
  return {
    session: new Session(loaded, env),
    schema,
    schemaText: () => JSON.stringify(pulumiSchema(schema, loaded, engineVersion)),
    version: engineVersion,
  };
}
