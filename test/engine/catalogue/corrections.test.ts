import { existsSync, readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { correctionEdits } from '@platform-sync/catalogue/edit/correct';
import { withEdits } from '@platform-sync/catalogue/edit/text';
import { loadCatalogue } from '@platform-sync/catalogue/load';
import { loadProjectConfig } from '@platform-sync/catalogue/project/project-file';
import type { Diagnostic } from '@platform-sync/core/model/diagnostic';
import { providerPackages } from '@platform-sync/sdk/registry';
import { configOf } from './scratch-project.js';

const bad = path.resolve(import.meta.dirname, '../../../fixtures/bad');

async function diagnose(root: string, texts: ReadonlyMap<string, string>): Promise<readonly Diagnostic[]> {
  const reads = { env: {}, packages: providerPackages, texts };
  const file = path.join(root, 'options.json');
  const options = existsSync(file)
    ? (JSON.parse(readFileSync(file, 'utf8')) as { readonly stack?: string; readonly project?: boolean })
    : {};
  const hasProject = options.project === true || existsSync(path.join(root, 'sync.yaml'));
  const project = hasProject
    ? await loadProjectConfig(root, { ...reads, ...(options.stack !== undefined && { stack: options.stack }) })
    : { config: configOf(root), diagnostics: [] };
  if (project.config === undefined) return project.diagnostics;
  return [...project.diagnostics, ...(await loadCatalogue(project.config, reads)).diagnostics];
}

const told = ({ code, summary, place }: Diagnostic): string => `${place?.file ?? ''} ${code} ${summary}`;

describe('every edit that a hint stands for', () => {
  it.each(readdirSync(bad).sort())('%s', async (name) => {
    const root = path.join(bad, name);
    const before = await diagnose(root, new Map());
    for (const found of before) {
      const { code, correction, place, hint } = found;
      // A stack may be named on the command line, which no edit corrects.
      const isEdit =
        place !== undefined && /^Did you mean (?!one of)[^ ]*\?$/.test(hint ?? '') && code !== 'unknown-stack';
      if (isEdit) expect([told(found), correction]).not.toEqual([told(found), undefined]);
      if (correction === undefined || place === undefined) continue;
      const file = path.join(root, place.file);
      const text = readFileSync(file, 'utf8').replace(/^\uFEFF/, '');
      const edits = correctionEdits(text, place, correction);
      expect([told(found), correction, edits.length]).not.toEqual([told(found), correction, 0]);
      const after = await diagnose(root, new Map([[file, withEdits(text, edits)]]));
      const same = (all: readonly Diagnostic[]): number => all.filter((one) => told(one) === told(found)).length;
      expect([told(found), same(after)]).toEqual([told(found), same(before) - 1]);
    }
  });
});
