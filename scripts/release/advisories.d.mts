export interface Hit {
  readonly id: string;
  readonly summary: string;
  readonly component: { readonly purl: string; readonly scope: string };
  readonly range: string;
}
export interface Found {
  readonly advisories: number;
  readonly components: number;
  readonly hits: readonly Hit[];
}
export function findAdvisories(sbom: { readonly components: readonly object[] }, given: unknown): Found;
