import { describe, expect, it } from 'vitest';
import type { Plan } from '@platform-sync/core/model/plan';
import { ansiStyle, plainStyle } from '@platform-sync/report/text/style';
import { planText } from '@platform-sync/report/text/plan';
import { field, plan, step } from '../plan-builder.js';

const text = (parts: Partial<Plan>): string => planText(plan(parts), { style: plainStyle });
const documentType = 'platform:index/apiDocument:ApiDocument';

describe('planText', () => {
  it('tells a whole plan in one piece', () => {
    const base = plan({
      steps: [
        step({
          address: 'petstore',
          action: 'replace',
          order: 'delete-first',
          cause: 'config',
          id: 'a1',
          fields: [field('specContent', { rule: 'replace', old: '{"a":1}', new: '{"a":2}' })],
          reasons: [{ kind: 'field-forces-replacement', field: 'specContent' }],
          risks: [{ kind: 'replaces' }, { kind: 'cascades', what: 'portals: dev' }],
        }),
        step({
          address: 'petstore/guide',
          type: documentType,
          action: 'replace',
          order: 'delete-first',
          id: 'd1',
          fields: [field('apiId', { rule: 'replace', old: 'a1', new: { $unknown: ['petstore.id'] } })],
          reasons: [{ kind: 'parent-replaced', path: ['petstore'] }],
        }),
        step({
          address: 'old',
          action: 'delete',
          id: 'o1',
          fields: [field('name', { old: 'Old' })],
          reasons: [{ kind: 'not-in-catalogue' }],
          risks: [{ kind: 'deletes' }, { kind: 'unpublishes' }],
        }),
      ],
      guards: [{ name: 'delete:old', summary: 'old is protected and would be deleted', addresses: ['old'] }],
      unmanaged: [{ type: 'platform:index/api:Api', under: 'petstore', count: 12 }],
    });
    const sources = { petstore: 'catalogue/pets.yaml:2:3', 'petstore/guide': 'catalogue/pets.yaml:9:7' };
    expect(planText({ ...base, meta: { ...base.meta, sources } }, { style: plainStyle })).toBe(
      `Plan for payments, stack default: platform at http://127.0.0.1:8080
-/+ replace   - delete

  -/+ replace petstore (platform:Api)  catalogue/pets.yaml:2:3
      id a1
      risk: goes with it and does not come back by itself: portals: dev
      the old object is deleted before the new one is created
      ~ specContent  # forces replacement
          ~ a: 1 → 2

  -/+ replace petstore/guide (platform:ApiDocument)  catalogue/pets.yaml:9:7
      id d1
      because: petstore is replaced
      the old object is deleted before the new one is created
      ~ apiId  "a1" → (known after apply)  # forces replacement  # from petstore.id

    - delete old (platform:Api)
      id o1
      because: it is in state and no longer in the catalogue
      risk: disappears from the live portal
      - name  "Old"

Neither in the catalogue nor in state:
  12 platform:Api under petstore

Guards that block this plan:
  delete:old: old is protected and would be deleted
    old
  To go ahead, repeat the command with:
    --allow delete:old --reason "why this is right"

Plan: 2 to replace, 1 to delete, 0 unchanged.
`,
    );
  });

  it('says that no reason lifts what is denied, and shows no next command while the stack is frozen', () => {
    const guard = { name: 'policy:owned:a', summary: 'an API has an owner', addresses: ['a'], level: 'deny' } as const;
    const frozen = { severity: 'warning', code: 'state-frozen', summary: 'The stack is frozen by ann: week' } as const;
    const all = { steps: [step({ address: 'a', action: 'create' })] };
    const denied = text({ ...all, guards: [guard] });
    expect(denied).toContain('  No reason lifts what is denied: change it, or the policy.\n');
    const quiet = text({ ...all, notices: [frozen] });
    expect([text(all), quiet].map((one) => one.includes('  sync apply'))).toEqual([true, false]);
  });

  const steps: readonly (readonly [string, Parameters<typeof step>[0], string])[] = [
    ['create-first', { address: 'a', action: 'replace', order: 'create-first' }, '  +/- replace a'],
    ['move', { address: 'a', action: 'move', from: 'b' }, '    > move a (platform:Api)\n      moves from b'],
    ['adopt', { address: 'a', action: 'adopt', id: '1' }, '    = adopt a (platform:Api)\n      id 1'],
    ['forget', { address: 'a', action: 'forget', id: '1' }, '    . forget a (platform:Api)\n      id 1'],
    ['gone', { address: 'a', action: 'create', reasons: [{ kind: 'gone' }] }, 'because: it was deleted outside'],
    [
      'reference',
      { address: 'a', action: 'replace', reasons: [{ kind: 'reference-replaced', field: 'apiId', path: ['b', 'c'] }] },
      'because: apiId refers to b (because of c), which is replaced',
    ],
    [
      'publishes',
      { address: 'a', action: 'update', risks: [{ kind: 'publishes' }] },
      'risk: becomes visible on the live portal',
    ],
    [
      'a hostile address',
      { address: 'a\u001b[2J\nPlan: 0', action: 'create' },
      '    + create a\\u001b[2J\\nPlan: 0 (platform:Api)\n',
    ],
  ];
  it.each(steps)('%s', (_name, parts, expected) => {
    expect(text({ steps: [step(parts)] })).toContain(expected);
  });

  const verdicts: readonly (readonly [string, Partial<Plan>, string])[] = [
    ['nothing to do', {}, 'No changes: the platform matches the catalogue (0 unchanged).\n'],
    [
      'never "no changes" for what was not read',
      {
        notCompared: [
          {
            type: documentType,
            address: 'a/b',
            diagnostic: { severity: 'error', code: 'forbidden', summary: 'The platform refused.' },
          },
        ],
      },
      'Not compared: These could not be read, so nothing is claimed about them.\na/b  forbidden  The platform refused.\n\nNo changes among what could be compared.\n',
    ],
    [
      'only outputs',
      { outputs: [{ name: 'id', new: { $unknown: ['a.id'] } }] },
      'Outputs:\n  id: (none) → (known after apply)\n\nPlan: only outputs change, 0 unchanged.\nTo carry it out, type:\n  sync apply\n',
    ],
    [
      'a lifted guard is told with its reason',
      { guards: [{ name: 'maxDeletes', summary: '11 deletes', addresses: [], lifted: 'clean-up' }] },
      'Guards that were lifted:\n  lifted: maxDeletes (11 deletes), reason given: clean-up\n',
    ],
    [
      'a partial plan says so',
      { partial: { targets: ['a'], excludes: ['b'] } },
      'Partial plan: only a and what they need, without b. The rest was not checked.',
    ],
    [
      'undeclared changes',
      { undeclaredChanges: [{ address: 'a', field: 'slug', old: 'x', new: 'y' }] },
      'fields the catalogue does not mention (left alone):\n  a.slug: "x" → "y"',
    ],
    [
      'notices',
      { notices: [{ severity: 'warning', code: 'cannot-clear', summary: 'It stays.', address: 'a', field: 'title' }] },
      'a.title  cannot-clear  warning: It stays.',
    ],
    [
      'unmanaged of a type that is created',
      {
        steps: [step({ address: 'a', action: 'create', type: documentType })],
        unmanaged: [
          { type: documentType, count: 2 },
          { type: 'platform:index/api:Api', count: 27 },
        ],
      },
      'Neither in the catalogue nor in state:\n  2 platform:ApiDocument\n\nPlan',
    ],
    [
      'unmanaged below a resource',
      {
        unmanaged: [
          { type: documentType, under: 'a', count: 1 },
          { type: documentType, count: 0 },
        ],
      },
      'Neither in the catalogue nor in state:\n  1 platform:ApiDocument under a\n\nNo changes',
    ],
    ['destroy of nothing', { mode: 'destroy' }, 'Nothing to destroy'],
  ];
  it.each(verdicts)('%s', (_name, parts, expected) => {
    expect(text(parts)).toContain(expected);
  });

  it('quotes the words that lift a guard for a shell', () => {
    const guards = [{ name: "delete:a'b $x", summary: 's', addresses: [] }];
    expect(text({ guards })).toContain(`--allow 'delete:a'\\''b $x' --reason`);
  });

  it('names the saved plan, and suggests nothing where it would be wrong', () => {
    const some = plan({ steps: [step({ address: 'a', action: 'create' })] });
    expect(planText(some, { style: plainStyle, planFile: 'my plan.json' })).toContain(
      "type:\n  sync apply 'my plan.json'\n",
    );
    expect(planText(some, { style: plainStyle, suggest: false })).not.toContain('type:');
    expect(text({ guards: [{ name: 'g', summary: 's', addresses: [] }], steps: some.steps })).not.toContain(
      'carry it out',
    );
  });

  it('differs from the plain text only by colour when a style is given', () => {
    const some = plan({
      steps: [step({ address: 'a', action: 'update', fields: [field('name', { old: '1', new: '2' })] })],
    });
    const coloured = planText(some, { style: ansiStyle });
    expect(coloured).toContain('\u001b[33m    ~\u001b[39m');
    expect(coloured.replaceAll(/\u001b\[\d+m/g, '')).toBe(planText(some, { style: plainStyle }));
  });
});
