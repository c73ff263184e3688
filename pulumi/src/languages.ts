import type { PackageSchema } from '@platform-sync/rest/schema/package-schema';

/** What whoever publishes the packages says of them. */
export interface Publication {
  readonly version: string;
  /** Path of the Go module, `{name}` for the package: `example.org/pulumi-{name}/sdk/go`. The major version is put behind it. */
  readonly goModule: string;
}

/** No host: such a module is found beside the program alone, where `pulumi package add` puts it. Nobody else can offer it. */
export const defaultGoModule = 'pulumi-{name}/sdk/go';

type Json = Readonly<Record<string, unknown>>;

/** Names of packages, modules and namespaces, by language. */
export function languages({ name }: Pick<PackageSchema, 'name'>, published: Publication): Json {
  const root = name.charAt(0).toUpperCase() + name.slice(1);
  return {
    nodejs: { packageName: `pulumi-${name}`, respectSchemaVersion: true },
    python: { packageName: `pulumi_${name}`, respectSchemaVersion: true, pyproject: { enabled: true } },
    go: {
      importBasePath: `${goModule(name, published)}/${name}`,
      modulePath: goModule(name, published),
      rootPackageName: name,
      respectSchemaVersion: true,
    },
    csharp: { rootNamespace: 'Pulumi', namespaces: { [name]: root }, respectSchemaVersion: true },
    java: { basePackage: 'com.pulumi', buildFiles: 'gradle' },
  };
}

/** From its second major version on, the path of a Go module ends in it. */
function goModule(name: string, { goModule: path, version }: Publication): string {
  const major = Number(version.split('.')[0]);
  return path.replaceAll('{name}', name) + (major < 2 ? '' : `/v${String(major)}`);
}
