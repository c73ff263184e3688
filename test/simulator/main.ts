import { readFileSync, writeFileSync } from 'node:fs';
import { askedFor } from './command-line.js';
import { scenarioOf, type Scenario } from './scenario.js';
import { search, turnOn } from './search.js';
import { kindOf, shrunk } from './shrink.js';
import { Simulation } from './simulation.js';

const { values, positionals } = askedFor(process.argv.slice(2));

const units: Readonly<Record<string, number>> = { s: 1000, m: 60_000, h: 3_600_000 };
/** Of the processor: others that are busy on this machine do not count. */
const seconds = (): number => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
};
const { for: time = '1m' } = values;
const limit = Number.parseFloat(time) * (units[time.slice(-1)] ?? 1000);
let failed = 0;
// Nobody reads where an error was made, and no world is to follow from it.
if (!values.trace) Error.stackTraceLimit = 0;

if (values.bugs !== undefined) await (positionals.length > 0 ? shows : lookFor)(Number(values.bugs));
else if (positionals.length > 0)
  for (const file of positionals) await one(JSON.parse(readFileSync(file, 'utf8')) as Scenario, file);
else if (values.seed !== undefined) await one(scenarioOf(Number(values.seed)), `seed ${values.seed}`);
else await many();
process.exitCode = failed > 0 ? 1 : 0;

async function one(scenario: Scenario, name: string): Promise<void> {
  const { digest, runs, events, trace, violations } = await new Simulation(scenario, { isTraced: values.trace }).run();
  if (values.trace) console.log(trace.join('\n'));
  console.log(`${name}: digest ${digest}, ${String(runs)} runs, ${String(events)} events`);
  if (violations.length > 0) await tell(scenario, violations, name);
}

/** New worlds, one after the other; without --from, those of nobody before. */
async function many(): Promise<void> {
  const first = Number(values.from ?? Math.floor(Date.now() / 1000));
  const most = Number(values.worlds ?? Infinity);
  let [runs, worlds] = [0, 0];
  let digests = 0;
  while (worlds < most && (values.worlds !== undefined || seconds() * 1000 < limit)) {
    const scenario = scenarioOf(first + worlds);
    const outcome = await new Simulation(scenario).run();
    runs += outcome.runs;
    worlds += 1;
    digests = Math.imul(digests ^ Number.parseInt(outcome.digest.slice(0, 8), 16), 0x01000193) >>> 0;
    if (outcome.violations.length > 0) await tell(scenario, outcome.violations, `seed ${String(scenario.seed)}`);
    if (failed > 0 && values['stop-at-first']) break;
  }
  const cpu = seconds();
  console.log(
    `${String(worlds)} worlds from seed ${String(first)}, ${String(runs)} runs in ${cpu.toFixed(1)} s of a core, ${(runs / cpu).toFixed(1)} a second; ${String(failed)} failed; digest ${digests.toString(16)}`,
  );
}

/** The planted bugs that this program has in it, by number. */
async function lookFor(count: number): Promise<void> {
  const { left, tried, reached } = await search(
    count,
    Number(values.from ?? 1),
    () => seconds() * 1000 < limit,
    seconds,
    async ({ number, seed, told, seconds: spent }) => {
      console.log(JSON.stringify({ number, seed, seconds: spent, told }));
      if (!values.shrink) return;
      turnOn([number]);
      await keep(scenarioOf(seed), `planted-${String(number)}`, kindOf({ violations: [told] }).trim());
    },
    (seed, told) => console.log(`seed ${String(seed)} FAILED without any of them\n  ${told}`),
  );
  for (const number of left)
    console.log(JSON.stringify({ number, worlds: tried.get(number) ?? 0, reached: reached.get(number) ?? 0 }));
}

/** Does each of these worlds show the planted bugs that this program has in it? */
async function shows(count: number): Promise<void> {
  for (const file of positionals)
    for (let number = 0; number < count; number += 1) {
      turnOn([number]);
      const scenario = JSON.parse(readFileSync(file, 'utf8')) as Scenario;
      const { violations, trace } = await new Simulation(scenario, { isTraced: values.trace }).run();
      if (values.trace) console.log(trace.join('\n'));
      const [told] = violations;
      console.log(JSON.stringify({ number, file, ...(told === undefined ? {} : { told }) }));
    }
}

async function tell(scenario: Scenario, violations: readonly string[], name: string): Promise<void> {
  failed += 1;
  console.log(`${name} FAILED\n  ${violations.slice(0, 5).join('\n  ')}`);
  if (!values.shrink) return console.log(`  Again: npm run simulate -- ${name.replace('seed', '--seed')} --trace`);
  await keep(scenario, `seed-${String(scenario.seed)}`, kindOf({ violations }).trim());
}

/** The smallest world that fails alike. */
async function keep(scenario: Scenario, name: string, why: string): Promise<void> {
  const least = await shrunk(scenario);
  const file = `test/simulator/found/${name}.json`;
  writeFileSync(file, `${JSON.stringify({ why, ...least }, null, 2)}\n`);
  console.log(`  ${String(least.acts.length)} of ${String(scenario.acts.length)} acts are enough: ${file}`);
}
