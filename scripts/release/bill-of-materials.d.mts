export interface Component {
  readonly purl: string;
  readonly scope: 'required' | 'optional';
  readonly licenses?: readonly object[];
  readonly hashes?: readonly { readonly alg: string; readonly content: string }[];
}
export function billOfMaterials(
  root: string,
  bundled: readonly string[],
  ruling?: readonly string[],
): {
  readonly components: readonly Component[];
  readonly dependencies: readonly { readonly ref: string; readonly dependsOn?: readonly string[] }[];
};
