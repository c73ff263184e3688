import { defined } from './value.js';
import { DiagnosticError } from './diagnostic.js';

/**
 * Who named an address: the operator of this run (environment, policy, command line, base commit), or the files under
 * review, which anybody may propose to change.
 */
type Chooser = 'operator' | 'tree';

/** Something made from a secret is about to leave for an address. */
export interface Sending {
  /** Who sends: the name of a provider, `state` or `webhook`. */
  readonly sender: string;
  /** What would leave, for people: `the token of the platform`. */
  readonly what: string;
  /** The whole address in normal form; without user name and password. */
  readonly to: string;
  /** The setting that names it: `providers.platform.serverUrl`. */
  readonly setting: string;
  readonly chosenBy: Chooser;
  /** One of the service's own hosts, whoever named it. */
  readonly isOwn: boolean;
  /** The environment variable that names the operator's address, and the address it names now, in normal form. */
  readonly variable?: { readonly name: string; readonly address?: string };
}

/** What a sender asks before its first request. */
export interface Trust {
  /** Who chose the value of a setting. `variables`: the setting's own; no other vouches for it. */
  chooserOf(setting: string, variables: readonly string[]): Chooser;
  /** Resolves when the secret may go there. Rejects with DiagnosticError or ProviderError before anything is sent. */
  admit(sending: Sending): Promise<void>;
  /** True when reviewed files may name credentials of this kind. */
  mayUseKey(kind: string): boolean;
}

/** For programs: whoever writes one chooses its settings. */
export const programTrust: Trust = {
  chooserOf: () => 'operator',
  admit: async () => undefined,
  mayUseKey: () => true,
};

/** What the files of a project may read. */
export interface ReadingRules {
  /** May `!env NAME` read it? */
  readonly variable: (name: string) => boolean;
  /** May `!file` read it? Path relative to the project, forward slashes. */
  readonly data: (file: string) => boolean;
  /** Present: what secrets hold is told to this alone, and nothing that is read depends on it. */
  readonly hide?: (content: string) => void;
}

/** Codes of refusals; the second one ends with the exit code of a plan that is for another target. */
export const notTrusted = 'address-not-trusted';
export const notRecorded = 'address-not-recorded';

/** True for a refusal because another target is recorded. */
export function isOtherTarget(diagnostics: readonly { readonly code: string; readonly severity: string }[]): boolean {
  const errors = diagnostics.filter(({ severity }) => severity === 'error');
  return errors.length > 0 && errors.every(({ code }) => code === notRecorded);
}

/** A refusal, for whoever has to throw one. */
export function refusedError(code: string, summary: string, hint: string, detail?: string): DiagnosticError {
  return new DiagnosticError([{ severity: 'error', code, summary, hint, ...defined({ detail }) }]);
}
