import { addTo } from '@platform-sync/core/model/graph';
import type { Diagnostic } from '@platform-sync/core/model/diagnostic';
import type { Finding } from '@platform-sync/core/model/drift';

const shortestPrefix = 4;

interface SelectedFindings {
  readonly findings: readonly Finding[];
  /** One error a word that names none. */
  readonly problems: readonly Diagnostic[];
}

/** The findings that words name: an id or its beginning, an address, `address.field`. */
export function selectFindings(findings: readonly Finding[], words: readonly string[]): SelectedFindings {
  const byWord = new Map<string, Finding[]>();
  for (const finding of findings) for (const word of namesOf(finding)) addTo(byWord, word, finding);
  const problems: Diagnostic[] = [];
  const chosen = new Set<Finding>();
  for (const word of words) {
    const named = byWord.get(word) ?? byPrefix(findings, word);
    if (named.length === 0) problems.push(unknownFinding(word));
    for (const finding of named) chosen.add(finding);
  }
  return { findings: findings.filter((finding) => chosen.has(finding)), problems };
}

/** A rule that has run out answers to its id only: by address, its resource's own findings are meant. */
function namesOf({ id, address, field, class: kind }: Finding): readonly string[] {
  if (kind === 'expired-rule') return [id];
  return field === undefined ? [id, address] : [id, address, `${address}.${field}`];
}

/** An ambiguous beginning names nothing. */
function byPrefix(findings: readonly Finding[], word: string): readonly Finding[] {
  if (word.length < shortestPrefix) return [];
  const found = findings.filter(({ id }) => id.startsWith(word));
  return found.length === 1 ? found : [];
}

function unknownFinding(word: string): Diagnostic {
  return {
    severity: 'error',
    code: 'unknown-finding',
    summary: `The check found nothing that is called "${word}".`,
    hint: 'Name a finding by its id, its address, or address.field. To list them: sync drift',
  };
}
