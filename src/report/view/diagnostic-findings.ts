import { canonicalJson, sha256 } from '@platform-sync/core/model/canonical';
import { defined } from '@platform-sync/core/model/defined';
import type { Diagnostic } from '@platform-sync/core/model/diagnostic';
import { problemKind } from '../words/alike.js';
import { visible } from '../words/escape.js';
import type { ReviewFinding } from './review-finding.js';

/** Errors stand where they are in the catalogue, as changes do. */
export function diagnosticFindings(diagnostics: readonly Diagnostic[]): readonly ReviewFinding[] {
  const seen = new Map<string, number>();
  const findings = diagnostics.map((found): ReviewFinding => {
    const { severity, address, field, place } = found;
    const hint = found.hint === undefined ? '' : ` ${visible(found.hint)}`;
    const key = canonicalJson([found.code, found.summary, place?.file ?? '', address ?? '', field ?? '']);
    // The same mistake twice in a file: told apart without lines, which move.
    const repeat = seen.get(key) ?? 0;
    seen.set(key, repeat + 1);
    return {
      rule: severity === 'error' ? 'error' : 'warning',
      level: severity === 'info' ? 'note' : severity,
      message: `${visible(found.code)}: ${visible(found.summary)}${hint}`,
      ...defined({
        address,
        place: place === undefined ? undefined : { file: place.file, line: place.line, column: place.column },
      }),
      kind: problemKind(found),
      fingerprint: sha256(`${key} ${repeat}`),
    };
  });
  const order = ['error', 'warning', 'note'];
  return findings.sort((a, b) => order.indexOf(a.level) - order.indexOf(b.level));
}
