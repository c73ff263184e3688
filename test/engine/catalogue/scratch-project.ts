import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { onTestFinished } from 'vitest';
import { loadCatalogue, type LoadedCatalogue } from '@platform-sync/catalogue/load';
import type { DesiredState } from '@platform-sync/core/model/desired';
import type { ProjectConfig } from '@platform-sync/core/model/project';
import { providerPackages } from '@platform-sync/sdk/registry';

export type Env = Readonly<Record<string, string | undefined>>;

/** A project folder with these files, removed when the test is over. */
export function scratchFolder(files: Readonly<Record<string, string | Buffer>>): string {
  const root = realpathSync(mkdtempSync(path.join(tmpdir(), 'catalogue-')));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  for (const [file, content] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(root, file)), { recursive: true });
    writeFileSync(path.join(root, file), content);
  }
  return root;
}

/** What sync.yaml would say if there were one. */
export function configOf(root: string): ProjectConfig {
  return {
    timing: { leaseMs: 30_000, beatMs: 5_000, requestMs: 60_000, retries: 4, settleMs: 120_000 },
    root,
    project: 'shop',
    stack: 'default',
    catalogue: ['catalogue/**/*.{yaml,yml}'],
    providers: {},
    state: { backend: 'sqlite', path: path.join(root, '.sync/state.db') },
    concurrency: 1,
    guards: { maxDeletes: 10, maxDeletePercent: 20, allow: [] },
  };
}

export function load(root: string, env: Env = {}): Promise<LoadedCatalogue> {
  return loadCatalogue(configOf(root), { env, packages: providerPackages });
}

/** Loads a catalogue: one file's text, or texts by path below `catalogue/`. */
export function loadFiles(
  files: string | Readonly<Record<string, string | Buffer>>,
  env: Env = {},
): Promise<LoadedCatalogue> {
  const named = typeof files === 'string' ? { 'main.yaml': files } : files;
  const below = Object.fromEntries(Object.entries(named).map(([file, text]) => [`catalogue/${file}`, text]));
  return load(scratchFolder(below), env);
}

/** The desired state of a catalogue that must be without errors. */
export async function desiredOf(
  files: string | Readonly<Record<string, string>>,
  env: Env = {},
): Promise<DesiredState> {
  const { desired, diagnostics } = await loadFiles(files, env);
  if (desired === undefined) throw new Error(diagnostics.map((d) => `${d.code}: ${d.summary}`).join('\n'));
  return desired;
}
