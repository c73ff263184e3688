import type { DiagnosticCodes } from '../model/diagnostic.js';

/** What whole pieces of work report. */
export const useCaseCodes = {
  'state-was-away': {
    title: 'The state store was away during a run',
    explanation:
      'The database stopped answering for longer than a run waits, so no further step was started. What had been done was kept on this machine and has been recorded since. Run apply again: it does the rest.',
  },
  'results-kept-here': {
    title: 'Results of a run are kept on this machine',
    explanation:
      'The state database stopped answering during a run and did not come back within another ten seconds. What the run had done is kept in the file named in the message, without secrets. The next plan or apply in this folder takes it from there; a run anywhere else finds out by looking at the platform, and the file counts for nothing then.',
  },
  'state-unsealed': {
    title: 'The state holds a secret in clear',
    explanation:
      'An earlier version did not know a field for a secret and recorded it as it is. Nothing shows it: it is sealed as it is read, and in the state itself by the next write of any kind; `sync refresh` is one. Copies of the state from before still hold it: change the secret where that matters.',
  },
  'unknown-address': {
    title: 'There is no such resource',
    explanation:
      'The address stands neither in the catalogue nor (where that counts) in the state. Addresses are written as `sync state list` shows them: `petstore`, or `petstore/guide` for what is nested.',
  },
  'term-about-files': {
    title: 'A choice by files where no files are read',
    explanation:
      '`changed:REF` compares the catalogue files with those of a commit. `sync export` writes what exists on the platform and reads no catalogue.',
  },
  'stack-output': {
    title: 'An output of another stack can not be had',
    explanation:
      '`stack:getOutput` reads what another stack of the project told after its last apply, from the same state store. That stack or output is not recorded, is this stack itself, or the output is secret: state keeps no secrets, so both stacks are given it with `!env`.',
  },
  'import-not-found': {
    title: 'The object to take over does not exist',
    explanation:
      'The id of `options.import`, or the one that `sync import` was given, names nothing on the platform. Correct it, or take the option out to make a new object.',
  },
  'pulumi-stack': {
    title: 'A file that is no export of a Pulumi stack',
    explanation:
      '`sync adopt --from-pulumi` reads what `pulumi stack export` writes: JSON with `deployment.resources`, each with its type, URN and id.',
  },
  'pulumi-several': {
    title: 'Several objects of a Pulumi stack may be one resource',
    explanation:
      'They have its type, and the key that the file says, and none is called like it. The one that it is has to be named: `sync import ADDRESS ID`.',
  },
  'pulumi-not-described': {
    title: 'A Pulumi stack has objects that no file describes',
    explanation:
      'They stay as they are, and unmanaged. Describe them (`sync export` writes files for what exists), and run it again.',
  },
  'already-managed': {
    title: 'The object or address is managed already',
    explanation:
      'One object belongs to one address. `sync state rm ADDRESS` lets go of the record (the object stays), then it can be imported again.',
  },
  'assumed-equal': {
    title: 'A property was taken to be as the catalogue says',
    explanation:
      'The platform does not show this property, so an imported object could not be compared with the file. If it may differ, replace the object on purpose: `sync plan --replace ADDRESS`.',
  },
  'other-run': {
    title: 'Another run is at work on this stack',
    explanation:
      'Its open writes are visible, so a plan made now is soon out of date. It can be looked at; applying it is refused when the other run has changed the state.',
  },
  'dead-run': {
    title: 'The run that holds the stack has died',
    explanation:
      'It ran on this machine, and its process is gone. Its lease is waited for by nobody: the next apply takes the stack over, looks for what became of the open writes, and goes on from there. What a plan shows until then may still change by that.',
  },
  'fix-undone': {
    title: 'The fixes would have changed more than they should',
    explanation:
      'After `sync fix` had written the options, the catalogue meant something else in another place, too (a block that is shared between resources, for example). The files were put back. Write the options by hand.',
  },
  'fix-other-stack': {
    title: 'The plan is of another project or stack',
    explanation: '`sync fix` writes what a plan of this very stack found out. Choose the stack with `--stack`.',
  },
  'cannot-fix': {
    title: 'An option can not be written where it belongs',
    explanation:
      'The block of the resource is shared, merged or generated, or it left the catalogue after the plan was made. The message names the option; write it by hand.',
  },
  'nothing-to-resend': {
    title: 'Nothing of a resource can be sent again',
    explanation:
      '`--resend` is for values that the platform takes and never shows, or shows masked. The resource declares none of them, or they are taken at creation only; then `--replace` makes the object anew.',
  },
  'base-ref-unknown': {
    title: 'Git knows no such commit',
    explanation:
      'The ref after `--base` is not in this clone. Pipelines often fetch one commit only: fetch the base branch first.',
  },
  'base-git-failed': {
    title: 'Git could not give the files of the base',
    explanation: '`--base REF` needs git and a repository. `--base-dir DIR` compares with a folder instead.',
  },
  'base-without-project': {
    title: 'The base has no such project or stack',
    explanation:
      'There is nothing to compare with, so the plan does not tell the changes of this branch from others. It is complete otherwise.',
  },
  'base-not-planned': {
    title: "The base's catalogue can't be planned",
    explanation:
      'It has errors of its own, so the plan does not tell the changes of this branch from others. It is complete otherwise.',
  },
} as const satisfies DiagnosticCodes;
