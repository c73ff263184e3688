import type { Measurement } from './measurement.js';
import type { BenchOptions, Group } from './options.js';
import { measureEditor } from './scenarios/editor.js';
import { measureFaults } from './scenarios/faults.js';
import { largeFleetCase, measureFleet, measureShared } from './scenarios/fleet.js';
import { measureFloors, measureLarge } from './scenarios/floors.js';
import { measureInstall } from './scenarios/install.js';
import { measureLife, measureRecorded } from './scenarios/life.js';
import { measureLimits } from './scenarios/limits.js';
import { measureMemory, measureVast, rememberedSizes } from './scenarios/memory.js';
import { measureOneFile } from './scenarios/one-file.js';
import { measurePeerCases } from './scenarios/peers.js';
import { measurePulumi } from './scenarios/pulumi.js';
import { measureShow } from './scenarios/show.js';
import { measureSources } from './scenarios/sources.js';
import { measureStart } from './scenarios/start.js';
import { measureTypes } from './scenarios/types.js';
import { measureAsked, measureWorkers } from './scenarios/workers.js';
import { measureAgainstTerraform } from './terraform/compare.js';
import { terraformVersion } from './terraform/program.js';
import type { Bench } from './world.js';

type Tell = (line: string) => void;
type Measure = (bench: Bench, options: BenchOptions, tell: Tell) => Promise<readonly Measurement[]>;

const showSizes = [100, 1000, 10_000] as const;
/** Steps of the plans that the bars for reports are about: also with a change in each, which is more work than a new text. */
const barSteps = 5000;
const recordedSize = 100_000;
const oneFileBytes = 20_000_000;
/** Terraform's local backend needs minutes for more. */
const localBackendSize = 500;

const measures: Readonly<Record<Group, Measure>> = {
  start: (bench, _options, tell) => {
    tell('measuring start-up …');
    return measureStart(bench);
  },
  types: (bench, _options, tell) => {
    tell('measuring types that no catalogue names …');
    return measureTypes(bench);
  },
  install: async (bench, _options, tell) => {
    const npm = process.env['npm_execpath'];
    if (npm === undefined) {
      tell('skipped: without npm run there is no npm to install with');
      return [];
    }
    tell('measuring an installation …');
    return measureInstall(bench, npm);
  },
  life: async (bench, { settings }, tell) => {
    const rows: Measurement[] = [];
    for (const setting of settings) {
      tell(`measuring ${setting.size} resources at ${setting.latencyMs} ms, ${setting.backend} …`);
      rows.push(...(await measureLife(bench, setting)));
    }
    return rows;
  },
  show: async (bench, _options, tell) => {
    const rows: Measurement[] = [];
    for (const size of showSizes) {
      tell(`measuring reports of ${size} steps …`);
      rows.push(...(await measureShow(bench, size, ['creates'])));
    }
    tell(`measuring reports of ${barSteps} steps …`);
    return [...rows, ...(await measureShow(bench, barSteps, ['creates', 'updates']))];
  },
  peers: (bench, _options, tell) => {
    tell('measuring 50 × 10 and 1,000 × 10 …');
    return measurePeerCases(bench);
  },
  recorded: (bench, _options, tell) => {
    tell(`measuring ${recordedSize} resources against recorded state …`);
    return measureRecorded(bench, recordedSize);
  },
  file: async (bench, _options, tell) => {
    tell('measuring one large file, and folders of files …');
    const files = [...(await measureOneFile(bench, oneFileBytes)), ...(await measureSources(bench))];
    tell('measuring edits of 5,000 resources …');
    return [...files, ...(await measureEditor(bench))];
  },
  limits: (bench, _options, tell) => measureLimits(bench, tell),
  faults: (bench, _options, tell) => measureFaults(bench, tell),
  fleet: async (bench, _options, tell) => [
    ...(await measureFleet(bench, tell)),
    ...(await measureWorkers(bench, tell)),
  ],
  floors: (bench, _options, tell) => {
    tell('measuring commands beside their floors …');
    return measureFloors(bench);
  },
  memory: async (bench, _options, tell) => {
    tell('measuring what is remembered of up to 100,000 resources …');
    const { small, large } = rememberedSizes;
    return [...(await measureMemory(bench, small)), ...(await measureMemory(bench, large))];
  },
  pulumi: (bench, _options, tell) => {
    tell('measuring the provider of Pulumi programs …');
    return measurePulumi(bench);
  },
  shared: (bench, _options, tell) => measureShared(bench, tell),
  asked: (bench, _options, tell) => measureAsked(bench, tell),
  rounds: (bench, _options, tell) => measureFleet(bench, tell, largeFleetCase),
  large: async (bench, _options, tell) => {
    tell('measuring up to a million resources, for some minutes …');
    return [...(await measureLarge(bench)), ...(await measureVast({ ...bench, runs: 1 }, rememberedSizes.largest))];
  },
  terraform: async (bench, { against }, tell) => {
    const version = terraformVersion();
    if (version === undefined) {
      tell('skipped: there is no terraform on the PATH to compare with');
      return [];
    }
    tell(`found terraform ${version}`);
    return measureAgainstTerraform(bench, { size: against, localSize: Math.min(against, localBackendSize) }, tell);
  },
};

/** All that was asked for, in a fixed order. */
export async function measureAll(bench: Bench, options: BenchOptions, tell: Tell): Promise<readonly Measurement[]> {
  const rows: Measurement[] = [];
  for (const group of options.groups) rows.push(...(await measures[group](bench, options, tell)));
  return rows;
}
