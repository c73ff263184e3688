import { describe, expect, it } from 'vitest';
import type { PlanValue } from '@platform-sync/core/model/plan';
import { planViews } from '@platform-sync/report/view/plan-views';
import { field, plan, step } from '../plan-builder.js';

const described = (path: string) => ({
  openapi: '3.0.3',
  info: { title: 'Pets', version: '1' },
  paths: { [path]: { get: { responses: { 200: { description: 'ok' } } } } },
});
const [before, after] = [described('/pets'), described('/dogs')];
const yaml = (path: string): string =>
  `# Ours\nopenapi: 3.0.3\ninfo: {title: Pets, version: "1"}\npaths: {${path}: {get: {responses: {"200": {description: ok}}}}}\n`;
const json = JSON.stringify;

describe('what a new description breaks', () => {
  it.each<[string, PlanValue, PlanValue, boolean]>([
    ['JSON', json(before), json(after), true],
    ['JSON on many lines, after blanks', ` \n\t${json(before, null, 2)}`, `\r\n${json(after)}`, true],
    [
      'JSON with its first key in escapes',
      json(before).replace('openapi', String.raw`\u006fpenapi`),
      json(after),
      true,
    ],
    ['YAML', yaml('/pets'), yaml('/dogs'), true],
    ['a record', before, after, true],
    ['the same', json(before), json(before, null, 2), false],
    ['a text that becomes a description', 'Pets', json(after), false],
    ['JSON after a mark of byte order, which is none', `\ufeff${json(before)}`, json(after), false],
    ['a list', json([before]), json([after]), false],
    ['a text that names one', 'As openapi says.', 'As openapi does not say.', false],
  ])('is told of %s', async (_name, old, now, breaks) => {
    const changed = step({ address: 'pets', action: 'update', fields: [field('specContent', { old, new: now })] });
    const of = plan({ steps: [changed] });
    const views = await planViews(of);
    expect(views.forClients(changed).length > 0).toBe(breaks);
    const shown = views.fields(changed).flatMap(({ detail }) => (detail?.kind === 'paths' ? detail.specification : []));
    expect(shown.some((found) => found?.changes.some(({ effect }) => effect === 'breaks'))).toBe(breaks);
  });
});
