import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { proposeEdit } from '@platform-sync/review/hosts';
import { fakeGithubEdits, fakeGitlabEdits, type FakeEdits } from './fake-edits.js';

const onto = 'c'.repeat(40);
const edit = {
  ...{ branch: 'sync-drift-accept-1', onto, title: 'Accept drift: pets', body: 'Why.\n/merge\n' },
  files: [{ path: 'teams/one/catalogue/a.yaml', text: 'resources: {}\n' }],
};
const patience = { wait: async () => undefined, now: () => 0 };

describe.each([
  ['github', fakeGithubEdits, /pulls$/, 'Why.\n/merge\n'],
  ['gitlab', fakeGitlabEdits, /merge_requests$/, 'Why.\n\\/merge\n'],
] as const)('an edit that is proposed on %s', (_name, start, requests, body) => {
  let forge: FakeEdits;
  beforeEach(async () => {
    forge = await start(onto);
  });
  afterEach(() => forge.api.close());

  it('is a branch on the commit that it was made on, and a request to the default branch', async () => {
    const url = await proposeEdit(forge.project, edit, patience);
    const { branch, title } = edit;
    const files = { 'teams/one/catalogue/a.yaml': 'resources: {}\n' };
    expect(forge.edits).toEqual([{ branch, onto, files, base: 'main', title, body }]);
    expect(url).toMatch(/^https:\/\/review\.example\.com\/acme\/shop\/.*\/1$/);
  });

  it('is there once, however often and after whatever trouble it is proposed', async () => {
    forge.api.faults.push({ match: new RegExp(`POST .*${requests.source}`), answer: { status: 502 }, after: true });
    const url = await proposeEdit(forge.project, edit, patience);
    expect(await proposeEdit(forge.project, edit, patience)).toBe(url);
    expect(forge.edits.length).toBe(1);
  });

  it('goes on where a run died between the branch and the request', async () => {
    forge.api.faults.push({ match: new RegExp(`POST .*${requests.source}`), answer: { status: 403 } });
    await expect(proposeEdit(forge.project, edit, patience)).rejects.toMatchObject({ kind: 'forbidden' });
    await proposeEdit(forge.project, edit, patience);
    expect(forge.edits.length).toBe(1);
  });

  it('is refused where the forge does not know the commit', async () => {
    await expect(proposeEdit(forge.project, { ...edit, onto: 'd'.repeat(40) }, patience)).rejects.toThrow();
    expect(forge.edits).toEqual([]);
  });
});
