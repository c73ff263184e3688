import path from 'node:path';
import validate from '../generated/fleet-validator.js';
import type { ConsoleSettings } from '@platform-sync/core/model/console';
import type { PipelineRule } from '@platform-sync/core/model/fleet';
import { demandOf, followsFrom, violationOf } from '@platform-sync/core/model/broken-rule';
import { DiagnosticError, type Diagnostic, type Place } from '@platform-sync/core/model/diagnostic';
import { badGlob } from '@platform-sync/core/model/glob';
import { pointerKeys } from '@platform-sync/core/model/json-pointer';
import { didYouMean } from '@platform-sync/core/model/nearest';
import { projectFileName } from '@platform-sync/core/model/project';
import type { SchemaViolation } from '@platform-sync/core/model/provider';
import { defined, type Json, ownMember } from '@platform-sync/core/model/value';
import { parseYaml, rangeIn } from '../read/data-files.js';
import { discoverFiles } from '../read/discover.js';
import { ProjectFiles, SourceFiles } from '../read/file-texts.js';

const fleetFileName = 'fleet.yaml';

type ByStack<T> = Readonly<Record<string, T>>;

/** What fleet.yaml says (schemas/fleet.schema.json). */
interface FleetSettings {
  readonly name?: string;
  readonly projects: readonly string[];
  readonly stacks?: readonly string[];
  readonly labels?: ByStack<Readonly<Record<string, string>>>;
  readonly owners?: ByStack<readonly string[]>;
  readonly requestsPerMinute?: number;
  readonly pipelines?: readonly PipelineRule[];
  /** Where proposed commits come from, as git takes it. */
  readonly remote?: string;
  /** `HH:MM`, UTC. */
  readonly schedule?: { readonly check?: string; readonly plan?: string };
  readonly quiet?: { readonly from: string; readonly until: string };
  readonly console?: ConsoleSettings;
}

/** Projects that are looked after together. */
export interface Fleet extends Omit<FleetSettings, 'projects'> {
  readonly name: string;
  /** Folders with a sync.yaml, relative to the fleet's, sorted. */
  readonly folders: readonly string[];
}

/** Reads the fleet.yaml of a folder. Throws DiagnosticError with all that is wrong with it. */
export async function readFleet(root: string): Promise<Fleet> {
  const read = new ProjectFiles(root).read(fleetFileName);
  if (!read.ok && read.why === 'missing')
    throw refused('no-fleet', `There is no ${fleetFileName} in ${root}.`, {
      hint: "Write one: projects: ['teams/*'] names the folders with a sync.yaml.",
    });
  if (!read.ok) throw refused('fleet-invalid', `${fleetFileName} can't be read.`);
  const settings = settingsIn(read.text);
  const { projects, ...rest } = settings;
  const { files, unmatched } = await discoverFiles(root, projects.map(projectFile));
  const [none] = unmatched;
  if (none !== undefined)
    throw refused(
      'fleet-invalid',
      `No folder with a ${projectFileName} matches ${none === projectFileName ? '.' : none.replace(/\/[^/]*$/, '')}.`,
      {
        place: placeOf(read.text, ['projects']),
        hint: 'Patterns are relative to fleet.yaml: teams/* is each folder in teams.',
      },
    );
  return { ...rest, name: settings.name ?? path.basename(path.resolve(root)), folders: files.map(folderOf).sort() };
}

function projectFile(pattern: string): string {
  const folder = pattern.replace(/\/+$/, '');
  return /^!?\.$/.test(folder) ? folder.replace('.', projectFileName) : `${folder}/${projectFileName}`;
}

function folderOf(file: string): string {
  return path.posix.dirname(file);
}

function settingsIn(text: string): FleetSettings {
  let value: Json;
  try {
    value = parseYaml(text);
  } catch {
    throw refused('fleet-invalid', `${fleetFileName} is not one document of YAML.`);
  }
  const all = validate(value) ? [] : (validate.errors ?? []).map(violationOf);
  const wrong = all.filter((one) => !followsFrom(one, all)).map((one) => complaint(one, text));
  if (wrong.length > 0) throw new DiagnosticError(wrong);
  // The schema has just said so.
  const settings = value as unknown as FleetSettings;
  for (const [at, pattern] of settings.projects.entries()) {
    const bad = badGlob(pattern.replace(/^!/, ''));
    if (bad === undefined) continue;
    const place = placeOf(text, ['projects', at]);
    throw refused('fleet-invalid', `This is no pattern: ${bad.message}.`, { place, hint: bad.hint });
  }
  for (const [at, rule] of (settings.pipelines ?? []).entries()) {
    const wrongRule = ruleProblem(rule);
    if (wrongRule !== undefined) throw refused('fleet-invalid', wrongRule, { place: placeOf(text, ['pipelines', at]) });
  }
  return settings;
}

/** What the schema can't say in words. */
function ruleProblem({ github, gitlab, may, ref, environment }: PipelineRule): string | undefined {
  if ((github === undefined) === (gitlab === undefined)) return 'A pipeline is of github or of gitlab.';
  if (may.includes('apply') && ref === undefined && environment === undefined)
    return 'A pipeline that may apply says of which ref or environment it is.';
  return undefined;
}

const keys = [
  'name',
  'projects',
  'stacks',
  'labels',
  'owners',
  'quiet',
  'schedule',
  'pipelines',
  'remote',
  'console',
  'requestsPerMinute',
];

const patternHints: Readonly<Record<string, string>> = {
  schedule: 'Write it as 15m, 6h or 1d.',
  quiet: "Write it as '06:30', in UTC.",
  pipelines: 'Write it as https://gitlab.example.com.',
  console: 'Write it as https://sync.acme.example; http:// is for 127.0.0.1 alone.',
};

function complaint(violation: SchemaViolation, text: string): Diagnostic {
  const { keyword, params, pointer } = violation;
  const path_ = pointerKeys(pointer);
  const place = placeOf(text, path_);
  const name = path_.length === 0 ? fleetFileName : `"${path_.join('.')}"`;
  if (keyword === 'required' && path_.length > 0)
    return problem(`${name} says no ${String(params['missingProperty'])}.`, { place });
  if (keyword === 'required') {
    const hint = "projects: ['teams/*'] names the folders with a sync.yaml.";
    return problem(`${name} says no ${String(params['missingProperty'])}.`, {
      place,
      ...(path_.length === 0 ? { hint } : {}),
    });
  }
  if (keyword === 'additionalProperties') {
    const key = String(params['additionalProperty']);
    return problem(`${name} has no key "${key}".`, {
      place: placeOf(text, [...path_, key], key),
      ...(path_.length > 0 ? {} : { hint: didYouMean(key, keys) ?? `Its keys are ${keys.join(', ')}.` }),
    });
  }
  if (keyword === 'pattern') {
    const what = path_[0] === 'schedule' ? 'a time' : path_[0] === 'quiet' ? 'an hour' : 'an address';
    return problem(`${name} must be ${what}.`, {
      place,
      ...defined({ hint: ownMember(patternHints, path_[0] ?? '') }),
    });
  }
  return problem(`${name} ${demandOf(violation)}.`, { place });
}

/** Of a value, or of the key that leads to it. */
function placeOf(text: string, keyPath: readonly (string | number)[], key?: string): Place {
  const sources = new SourceFiles();
  sources.add(fleetFileName, text);
  const value = rangeIn(fleetFileName, text, keyPath);
  if (key === undefined) return sources.place(value);
  const start = Math.max(text.lastIndexOf(key, value.start), 0);
  return sources.place({ file: fleetFileName, start, end: start + key.length });
}

type More = Pick<Diagnostic, 'hint' | 'place'>;

function problem(summary: string, more: More = {}): Diagnostic {
  return { severity: 'error', code: 'fleet-invalid', summary, ...more };
}

function refused(code: 'no-fleet' | 'fleet-invalid', summary: string, more: More = {}): DiagnosticError {
  return new DiagnosticError([{ severity: 'error', code, summary, ...more }]);
}
