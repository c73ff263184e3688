/** What is wrong with the settings of a provider. */
export interface SettingProblem {
  /** Names from the block of the provider down to what is wrong, or missing. */
  readonly path: readonly string[];
  readonly summary: string;
  readonly hint?: string;
}
