import { expect, it } from 'vitest';
import { editMany } from '../../bench/scenarios/editor.js';
import { builtProgram } from '../harness/built.js';

it('forty edits of a project of 5,000 resources are each judged at once, and rightly', async () => {
  const took = await editMany(await builtProgram());
  // How long is for the bench to say.
  expect(took).toHaveLength(40);
});
