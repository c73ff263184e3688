import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PaperWorld } from '../test/harness/paper-world.js';

/** What rules add to a plan, in CPU time: `npx tsx bench/rules.ts [STEPS] [RULES]`. Most rules are asked of every step. */
const steps = Number(process.argv[2] ?? 5_000);
const rules = Number(process.argv[3] ?? 50);
const expressions = [
  'new == null || new.?labels.?owner.orValue("") != ""',
  'new == null || new.name.matches("^[a-z][a-z0-9-]*$")',
  'step.action != "delete" || plan.createdAt.getDayOfWeek() != 5',
  'new == null || size(new.name) < 60',
  'step.action in ["create", "update", "replace", "delete"]',
  'new == null || !has(new.labels) || new.labels.all(key, key.matches("^[a-z]+$"))',
  'resource.file.startsWith("catalogue/")',
  '!(step.type == "platform:Portal" && step.action == "delete")',
  'new == null || new.?labels.?team.orValue("") != ""',
  'size(step.risks) == 0 || step.action != "create"',
];
const folder = mkdtempSync(join(tmpdir(), 'sync-rules-'));
try {
  const all = Array.from({ length: rules }, (_, number) => ({
    name: `rule-${String(number)}`,
    level: 'deny',
    expression: expressions[number % expressions.length],
  }));
  for (const [name, settings] of [
    ['without', {}],
    ['with', { policies: 'policies/*.yaml' }],
  ] as const) {
    mkdirSync(join(folder, name, 'catalogue'), { recursive: true });
    mkdirSync(join(folder, name, 'policies'));
    writeFileSync(join(folder, name, 'sync.yaml'), JSON.stringify({ project: 'bench', ...settings }));
    writeFileSync(join(folder, name, 'policies/rules.yaml'), JSON.stringify({ rules: all }));
  }
  const properties = { description: 'some words', labels: { owner: 'ann', team: 'pets' } };
  const resources = Object.fromEntries(
    Array.from({ length: steps }, (_, number) => {
      const name = `api-${String(number)}`;
      return [name, { type: 'platform:Api', properties: { name, ...properties } }];
    }),
  );
  for (let turn = 0; turn < 4; turn += 1)
    for (const name of ['without', 'with']) {
      const world = new PaperWorld();
      world.write(join(folder, name), { resources });
      const began = process.cpuUsage();
      const { plan } = await world.plan(join(folder, name));
      const { user, system } = process.cpuUsage(began);
      const ms = Math.round((user + system) / 1000);
      console.log(
        `${name}: ${String(plan.steps.length)} steps, ${String(plan.guards.length)} guards, ${String(ms)} ms`,
      );
    }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
