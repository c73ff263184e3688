import { blockTypes, editKinds, type EditKind, type Habits } from './catalogue.js';
import type { Chance } from './chance.js';
import { likelyLies } from './lies.js';
import { between, handKinds, type Act, type Command, type HandKind, type Mishap } from './scenario.js';

/** What a meeting is about: a kind of trouble in the middle of a kind of work, and what people do before anybody has looked. */
interface Meeting {
  /** How files are changed first, and of which types; absent: they are not. */
  readonly edits?: readonly EditKind[];
  readonly types?: Habits['types'];
  /** What is changed more in the same files. */
  readonly then?: readonly EditKind[];
  /** It is about what was written a moment before. */
  readonly isFresh?: true;
  /** When the next one comes, milliseconds: when what nobody had waited for would show, and what had to wait need not. */
  readonly wait?: readonly [least: number, most: number];
  /** Most go on when all that was written shows. */
  readonly isLate?: true;
  /** One comes right after another: nothing need show yet. */
  readonly isHasty?: true;
  /** What comes next is reviewed, and carried out a while later, when writes are left unanswered. */
  readonly isReviewed?: true;
  /** It strikes while its run takes its lease, or gives it back. */
  readonly isAtOnce?: true;
  /** Who comes next is shown lists that look right. */
  readonly isLied?: true;
  /** The store is slow. */
  readonly isSlow?: true;
  /** Somebody else does the same in nearly the same moment. */
  readonly isBeside?: true;
  /** Its writes are answered late. */
  readonly tarries?: true;
  /** What people have done a moment before, or long before. */
  readonly before?: readonly (HandKind | EditKind | Command)[];
  readonly isOld?: true;
  /** Who comes by hand comes while a plan looks. */
  readonly isEarly?: true;
  /** People have made several things, here and there, or most in one place. */
  readonly isCrowded?: true | 'in one place';
  /** The files are changed in all these ways before anybody runs again. */
  readonly inTurn?: readonly EditKind[];
  /** The next one meets the same trouble, most often. */
  readonly isTwice?: true;
  /** Another stack gives up what it has written a moment before, and what people have changed, while its own runs go on. */
  readonly isGiven?: true;
  /** Another stack puts something of its own into what there is a moment before; or something else in the place of that, which stays, too. */
  readonly isVisited?: true | 'twice';
  readonly commands: readonly Command[];
  readonly troubles: readonly Mishap['kind'][];
  /** By hand, in files, or by a command line, while the first one may still be under way, or soon after. */
  readonly deeds: readonly (HandKind | EditKind | Command)[];
  readonly next: readonly Command[];
}

const inside = ['yard:Page', 'yard:Member'] as const;
const ends: readonly Mishap['kind'][] = ['kill', 'kill', 'kill', 'stop twice', 'unanswered', 'cut off'];
const applies: readonly Command[] = ['apply', 'apply', 'apply allowed'];

/** Classes, not cases: what each world makes of one is left to chance. */
const meetings: readonly Meeting[] = [
  // Somebody dies amid a create.
  {
    ...{ edits: ['add'], types: inside, commands: ['apply'], troubles: ends, isLate: true },
    ...{ deeds: ['make', 'make', 'change', 'end', 'rename'], next: [...applies, 'apply waiting', 'adopt', 'drift'] },
  },
  {
    ...{ edits: ['add'], commands: ['apply'], troubles: ends, next: [...applies, 'apply waiting', 'undo'] },
    deeds: [
      'rekey',
      'remove',
      'twin',
      'twin',
      'state rm',
      'state push',
      'adopt one',
      'state mv',
      'state mv to',
      'make',
    ],
  },
  // The same, and others come before it shows.
  {
    ...{ edits: ['add'], types: inside, isHasty: true, commands: ['apply'], troubles: ['kill'] },
    deeds: ['change', 'plan', 'add', 'rekey', 'rekey', 'make', 'make', 'state mv to'],
    next: ['apply', 'apply', 'apply', 'apply waiting', 'drift', 'adopt one', 'adopt one'],
  },
  // And somebody names another one.
  {
    ...{ edits: ['add'], types: ['yard:Page'], isHasty: true, commands: ['apply'], troubles: ['kill'] },
    ...{ deeds: ['make'], next: ['adopt one', 'adopt one', 'apply'] },
  },
  // A record comes to where it may have made something.
  {
    ...{ edits: ['add'], isHasty: true, commands: ['apply'], troubles: ['kill'] },
    ...{ deeds: ['state mv to', 'state mv to', 'state mv', 'state push'], next: [...applies, 'apply waiting'] },
  },
  // Two of one name, of which one is old, or has been let go of.
  {
    ...{ before: ['make'], isOld: true, edits: ['twin'], types: inside, commands: ['apply allowed'], troubles: ends },
    ...{ isFresh: true, isLate: true, deeds: ['plan', 'change', 'make'], next: [...applies, 'apply waiting'] },
  },
  {
    ...{ before: ['make', 'make'], edits: ['move'], types: inside, commands: ['apply', 'apply allowed'] },
    ...{ isFresh: true, isOld: true, troubles: ['kill'], deeds: ['plan', 'change'], next: [...applies, 'undo'] },
  },
  {
    ...{ before: ['state rm'], edits: ['change'], types: inside, commands: ['apply allowed'], troubles: ends },
    ...{ isFresh: true, isHasty: true, deeds: ['plan', 'change'], next: ['apply', 'apply', 'apply allowed'] },
  },
  // Amid the creates of two of a name.
  {
    ...{ edits: ['add'], then: ['twin'], types: inside, commands: ['apply allowed'] },
    ...{ troubles: ['unanswered', 'unanswered', 'kill', 'cut off'], deeds: ['plan', 'twin', 'make', 'change'] },
    next: ['apply', 'apply', 'apply allowed', 'adopt one'],
  },
  // The same where there may be two of a name.
  {
    ...{ edits: ['twin', 'rekey'], types: inside, isFresh: true, commands: ['apply allowed'], troubles: ends },
    ...{ deeds: ['make', 'twin', 'remove', 'plan', 'state rm'], next: ['apply', 'apply allowed', 'apply allowed'] },
  },
  // Amid an update.
  {
    ...{
      edits: ['change', 'drop'],
      commands: ['apply'],
      troubles: ends,
      next: [...applies, 'undo', 'drift', 'drift record'],
    },
    deeds: ['change', 'change', 'remove', 'state mv', 'undo edit', 'move key'],
  },
  // Amid a replacement.
  {
    ...{
      edits: ['change'],
      types: inside,
      isFresh: true,
      commands: ['apply'],
      troubles: ['kill', 'kill', 'unanswered'],
    },
    ...{
      deeds: ['change', 'remove', 'rekey', 'state mv'],
      next: [...applies, 'apply no-delete', 'apply target', 'undo', 'drift'],
    },
  },
  // One that says of a map what no record knows.
  {
    ...{ edits: ['change'], types: ['yard:Site'], isFresh: true, commands: ['apply'], troubles: ends },
    ...{ deeds: ['change', 'change', 'move key', 'back'], next: ['apply'] },
  },
  // And the files say again what they said before.
  {
    ...{ edits: ['change'], isFresh: true, isHasty: true, commands: ['apply'], troubles: ends },
    ...{ deeds: ['back', 'back', 'back', 'drop', 'change'], next: ['apply', 'apply', 'drift record'] },
  },
  // What was written a moment before, and does not show yet, is recorded as it shows.
  {
    ...{ before: ['drift record'], edits: ['back', 'drop'], types: ['yard:Site', 'yard:Board'], commands: ['apply'] },
    ...{
      isFresh: true,
      isHasty: true,
      troubles: ['kill'],
      deeds: ['plan', 'drift record'],
      next: ['apply', 'refresh'],
    },
  },
  // What was changed by hand is put right, and changed once more.
  {
    ...{
      before: ['change', 'change', 'move key'],
      edits: ['add', 'change'],
      isFresh: true,
      commands: ['apply', 'drift revert'],
    },
    ...{ troubles: ['by hand', 'by hand', 'kill'], deeds: ['change', 'back'], next: ['apply', 'drift'] },
  },
  {
    ...{ before: ['change'], edits: ['change'], types: ['yard:Policy'], isFresh: true, commands: ['apply'] },
    ...{ troubles: ['by hand'], deeds: ['change', 'plan'], next: ['apply', 'drift'] },
  },
  // What no file says is put right, of what is written as a whole.
  {
    ...{ before: ['change'], types: ['yard:Route'], isFresh: true, commands: ['drift revert'] },
    ...{ edits: [], troubles: ['by hand'], deeds: ['change', 'plan'], next: ['drift revert', 'apply'] },
  },
  // A key is taken out of a map, and that does not arrive.
  {
    ...{ before: ['say'], edits: ['back'], types: ['yard:Site', 'yard:Board'], commands: ['apply'] },
    ...{ isFresh: true, troubles: ['unanswered', 'kill'], deeds: ['plan', 'change'], next: ['apply', 'drift record'] },
  },
  // And its record stands elsewhere before that shows.
  {
    ...{ before: ['say', 'say', 'change'], edits: ['back', 'drop'], types: ['yard:Site', 'yard:Board', 'yard:Route'] },
    ...{ commands: ['apply'], isFresh: true, isHasty: true, troubles: ['by hand', 'kill'] },
    ...{ deeds: ['state mv', 'state mv', 'rekey'], next: ['plan', 'drift', 'apply', 'refresh', 'drift record'] },
  },
  // It is replaced once more before that.
  {
    ...{ edits: ['renew'], types: inside, isFresh: true, commands: ['apply'], troubles: ['kill', 'unanswered'] },
    ...{ inTurn: ['renew'], isTwice: true, deeds: ['plan'], next: ['apply'] },
  },
  // Others come while the first one's write does not show yet: of what they say, it had said another part.
  {
    ...{ edits: ['say'], types: ['yard:Site', 'yard:Board'], isFresh: true, isHasty: true, commands: ['apply'] },
    ...{ troubles: ['kill'], inTurn: ['back', 'change'], deeds: ['plan'], next: ['apply'] },
  },
  // Or it had made something there under another name.
  {
    ...{ edits: ['add'], types: ['yard:Site', 'yard:Route', 'yard:Board'], isHasty: true, commands: ['apply'] },
    ...{ troubles: ['kill'], inTurn: ['change', 'change'], deeds: ['plan'], next: ['apply', 'apply', 'apply waiting'] },
  },
  // What only a new object can have is changed by hand, and put right.
  {
    ...{ edits: ['add', 'protect'], types: ['yard:Member'], isFresh: true, commands: ['apply'], troubles: ['by hand'] },
    ...{ deeds: ['change', 'change', 'make'], next: ['drift revert', 'drift revert', 'apply'] },
  },
  // And once more.
  {
    ...{ types: ['yard:Member'], isFresh: true, before: ['change'], troubles: ['by hand'] },
    ...{ commands: ['drift revert', 'apply'], deeds: ['change'], next: ['drift revert', 'apply'] },
  },
  // Who waits for a name that stays, since nothing is deleted.
  {
    ...{ edits: ['exchange'], then: ['remove'], types: ['yard:Site', 'yard:Route', 'yard:Board'], isFresh: true },
    ...{ commands: ['apply no-delete'], troubles: ['by hand', 'kill'], deeds: ['plan', 'change'], next: ['apply'] },
  },
  // Of settings people have moved what no file says, and their block goes.
  {
    ...{ edits: ['remove'], types: ['yard:Policy'], isFresh: true, before: ['change'], troubles: ['by hand'] },
    ...{ commands: ['apply', 'apply full', 'destroy'], deeds: ['change', 'plan'], next: ['apply', 'undo'] },
  },
  // Files protect what no apply has recorded as that, and all is to end.
  {
    ...{ edits: ['protect'], isFresh: true, commands: ['destroy', 'destroy', 'destroy allowed'], troubles: ['kill'] },
    ...{ deeds: ['plan', 'change'], next: ['destroy', 'apply'] },
  },
  // What a killed run left open is let go of when all shows.
  {
    ...{ edits: ['change', 'remove'], isFresh: true, isLate: true, commands: ['apply'], troubles: ['kill'] },
    ...{ deeds: ['plan', 'change'], next: ['state rm', 'state rm', 'state mv'] },
  },
  // What is approved is changed by hand before it is carried out.
  {
    ...{ edits: ['change'], isFresh: true, commands: ['review'], troubles: ['by hand'] },
    ...{ deeds: ['change', 'change', 'move key'], next: ['apply reviewed'] },
  },
  // Beside what a home shows of what is in it somebody puts another one, and it is to end.
  {
    ...{ edits: ['add'], types: ['yard:Board'], isLate: true, commands: ['apply'], troubles: ['by hand'] },
    ...{ deeds: ['make', 'make', 'remove'], next: ['destroy', 'plan', 'destroy allowed'] },
  },
  // The old object of a replacement may not be ended, and then it is changed, or replaced once more.
  {
    ...{ edits: ['renew'], types: ['yard:Page'], isFresh: true, commands: ['apply'], troubles: ['no ends'] },
    ...{ inTurn: ['change'], isTwice: true, deeds: ['plan'], next: ['apply', 'apply', 'apply no-delete'] },
  },
  {
    ...{
      edits: ['renew'],
      types: inside,
      isFresh: true,
      commands: ['apply'],
      troubles: ['no ends', 'no ends', 'kill'],
    },
    ...{ inTurn: ['renew'], isTwice: true, deeds: ['plan', 'end', 'end'], next: ['apply', 'apply', 'apply target'] },
  },
  {
    ...{ edits: ['renew'], types: inside, isFresh: true, commands: ['apply'], troubles: ['no ends'] },
    ...{ inTurn: ['remove'], isTwice: true, deeds: ['plan', 'end'], next: ['apply', 'apply', 'destroy allowed'] },
  },
  // It is still there when its resource has another address, or leaves a part of a plan.
  {
    ...{ edits: ['renew'], types: inside, isFresh: true, commands: ['apply'], troubles: ['no ends', 'kill'] },
    ...{ inTurn: ['rekey'], deeds: ['plan', 'rekey'], next: ['apply', 'apply', 'apply target'] },
  },
  {
    ...{ edits: ['renew'], types: inside, isFresh: true, commands: ['apply'], troubles: ['no ends', 'kill'] },
    ...{ inTurn: ['remove'], deeds: ['plan', 'remove'], next: ['apply target', 'apply target', 'apply'] },
  },
  // Its record moves while a write of it is open.
  {
    ...{ edits: ['renew'], types: inside, isFresh: true, commands: ['apply'], troubles: ['kill'] },
    ...{ deeds: ['state mv', 'state mv', 'plan'], next: ['apply', 'apply', 'apply waiting'] },
  },
  // The old object of a replacement is still to be deleted.
  {
    ...{
      edits: ['move', 'move', 'change'],
      types: ['yard:Page'],
      isFresh: true,
      commands: ['apply'],
      troubles: ['kill', 'kill', 'unanswered'],
    },
    ...{
      deeds: ['change', 'change', 'change', 'back'],
      next: ['apply no-delete', 'apply no-delete', 'apply target', 'apply'],
    },
    isTwice: true,
  },
  // Amid a delete, of what was written a moment before.
  {
    ...{
      edits: ['remove'],
      isFresh: true,
      isHasty: true,
      commands: ['apply', 'destroy allowed'],
      troubles: ['kill', 'kill', 'unanswered'],
    },
    ...{ deeds: ['make', 'change', 'end', 'add', 'undo edit', 'state push'], next: [...applies, 'drift'] },
  },
  {
    ...{ edits: ['remove'], types: ['yard:Route'], isFresh: true, isHasty: true, troubles: ['unanswered'] },
    ...{ commands: ['destroy allowed', 'apply'], deeds: ['plan', 'change'], next: ['apply', 'drift'] },
  },
  // The same, and its home may not show yet either.
  {
    ...{ edits: ['remove'], types: ['yard:Site', ...inside], isFresh: true, isHasty: true, commands: ['apply'] },
    ...{ troubles: ['kill'], deeds: ['plan', 'add'], next: ['apply', 'apply', 'apply waiting'] },
  },
  // Something comes into what is about to end.
  {
    ...{ edits: ['remove'], types: ['yard:Site'], commands: ['apply', 'apply allowed', 'destroy'] },
    ...{
      isVisited: true,
      troubles: ['by hand', 'kill', 'freeze', 'unanswered'],
      deeds: ['make', 'make', 'plan', 'apply'],
    },
    next: ['apply allowed', 'destroy allowed', 'destroy allowed'],
  },
  // It is changed, or ends, while its run goes on.
  {
    ...{ edits: ['change', 'remove', 'remove', 'move'], commands: ['apply', 'apply full'] },
    ...{ troubles: ['by hand', 'by hand', 'freeze'], deeds: ['change', 'rename', 'end'] },
    next: ['apply', 'drift', 'drift revert'],
  },
  // One of several that end is changed right after the plan.
  {
    ...{ edits: ['remove'], types: ['yard:Site', 'yard:Page', 'yard:Board'], commands: ['destroy', 'destroy allowed'] },
    ...{ troubles: ['by hand'], deeds: ['change', 'plan'], next: ['apply', 'destroy allowed'] },
  },
  // Names are exchanged.
  {
    ...{ edits: ['exchange'], then: ['change', 'exchange'], types: ['yard:Site', 'yard:Route'], commands: ['apply'] },
    ...{ troubles: ['kill', 'by hand', 'unanswered'], deeds: ['change', 'change', 'rename'], next: ['apply', 'undo'] },
  },
  // Its end is reviewed, and by then it may not show any more.
  {
    ...{ before: ['make'], edits: ['import'], types: ['yard:Page'], commands: ['apply'], troubles: ['kill'] },
    ...{ wait: [2_000, 5_000], inTurn: ['remove'], deeds: ['plan'], isReviewed: true, next: ['apply'] },
  },
  // What somebody has just made is taken over, and is to end before it shows everywhere.
  {
    ...{ before: ['make'], edits: ['import'], types: inside, isHasty: true, commands: ['apply', 'adopt'] },
    ...{ troubles: ['unanswered'], inTurn: ['remove'], isTwice: true, deeds: ['plan'], next: ['apply'] },
  },
  // Files say several things that people have made, and lists are wrong.
  {
    ...{ isCrowded: true, edits: ['twin'], types: ['yard:Site', 'yard:Route', 'yard:Board'] },
    ...{
      troubles: ['misled', 'misled', 'misled', 'miscounted'],
      commands: ['plan', 'apply', 'adopt'],
      deeds: ['plan', 'twin'],
      then: ['add'],
      isTwice: true,
      next: ['apply', 'adopt'],
    },
  },
  // All of one kind.
  {
    ...{ isCrowded: 'in one place', edits: ['twin'], types: ['yard:Site'], troubles: ['misled'], isTwice: true },
    ...{ commands: ['apply', 'adopt'], deeds: ['plan'], then: ['twin'], next: ['apply', 'adopt'] },
  },
  {
    ...{ isCrowded: 'in one place', edits: ['twin'], types: ['yard:Route'], troubles: ['misled'], isTwice: true },
    ...{ commands: ['apply', 'adopt'], deeds: ['plan'], then: ['twin'], next: ['apply', 'adopt'] },
  },
  // What files want is in a list of which something goes while it is read.
  {
    ...{ isCrowded: 'in one place', edits: ['twin'], types: ['yard:Page'], troubles: ['by hand'], isEarly: true },
    ...{ commands: ['apply'], deeds: ['plan', 'end'], isTwice: true, next: ['apply', 'destroy allowed'] },
  },
  // While lists are read, others work on what is in them.
  {
    ...{
      isCrowded: true,
      edits: ['twin', 'remove'],
      commands: ['apply', 'destroy'],
      troubles: ['by hand'],
      isEarly: true,
    },
    ...{ deeds: ['plan', 'end', 'make'], isTwice: true, next: ['apply', 'destroy allowed'] },
  },
  // What was to be made is not wanted any more before it is known whether it was.
  {
    ...{ edits: ['add'], types: ['yard:Site', 'yard:Route', 'yard:Board'], isHasty: true, commands: ['apply'] },
    ...{ troubles: ['unanswered'], inTurn: ['remove'], deeds: ['plan'], next: ['apply'] },
  },
  // It had to wait long before it was sent.
  {
    ...{ edits: ['add'], types: inside, commands: ['apply'], troubles: ['held'], wait: [131_000, 140_000] },
    ...{ deeds: ['plan', 'rekey'], next: ['apply', 'apply', 'apply waiting'] },
  },
  // While some are about to leave another one is asked to wait.
  {
    ...{
      edits: ['add'],
      then: ['add'],
      commands: ['apply'],
      troubles: ['held'],
      deeds: ['plan', 'add'],
      next: ['apply'],
    },
  },
  // A plan that was reviewed is carried out by somebody else first.
  {
    ...{ edits: ['change', 'add'], commands: ['review'], troubles: ['misled'], deeds: ['apply', 'apply', 'refresh'] },
    next: ['apply reviewed', 'apply reviewed', 'apply'],
  },
  // What people made is taken over by its name while lists are wrong.
  {
    ...{ before: ['make', 'make'], isOld: true, edits: ['twin'], types: inside, isCrowded: true, commands: ['adopt'] },
    ...{ troubles: ['misled'], deeds: ['plan', 'make'], next: ['apply', 'drift', 'adopt'] },
  },
  // Somebody lets go of what was made a moment before.
  {
    ...{ edits: ['add', 'change'], types: inside, isFresh: true, commands: ['state rm', 'state rm', 'state push'] },
    ...{ troubles: ['kill', 'misled'], deeds: ['state rm', 'state push', 'twin', 'adopt one'] },
    next: [...applies, 'undo', 'adopt one', 'adopt'],
  },
  // It goes to another stack, and may come back; or that one wants one of the same name.
  {
    ...{
      edits: ['add', 'change'],
      types: inside,
      isVisited: true,
      commands: ['state mv to', 'apply'],
      troubles: ['kill'],
    },
    ...{
      deeds: ['state mv to', 'state rm', 'remove', 'twin', 'twin', 'twin'],
      next: [...applies, 'destroy allowed', 'state mv to'],
    },
  },
  // It is cut off when both have it, and the files of the first let go of it.
  {
    ...{ edits: ['change'], types: ['yard:Route', 'yard:Page'], isFresh: true, isLate: true },
    ...{ commands: ['state mv to'], troubles: ['kill'], inTurn: ['remove'] },
    ...{ deeds: ['plan'], next: ['apply', 'apply', 'destroy'] },
  },
  // The store is given up while a write is still under way.
  {
    ...{ edits: ['add', 'change'], then: ['add'], commands: ['apply'], troubles: ['cut off'], tarries: true },
    ...{ deeds: ['plan'], next: ['apply', 'apply waiting'] },
  },
  // What another stack has is taken over by the files of both.
  {
    ...{
      isGiven: true,
      edits: ['take'],
      commands: ['apply', 'apply', 'review'],
      troubles: ['kill', 'by hand', 'cut off'],
    },
    ...{ deeds: ['apply', 'change', 'state mv', 'plan'], next: [...applies, 'apply reviewed', 'undo', 'drift'] },
  },
  // Two think that they may write.
  {
    ...{ edits: ['add', 'change', 'remove'], commands: ['apply', 'apply waiting', 'undo', 'state mv'] },
    ...{
      troubles: ['freeze', 'freeze', 'cut off', 'kill'],
      deeds: ['unlock', 'freeze', 'apply waiting', 'state push'],
    },
    next: ['apply', 'apply waiting', 'thaw'],
  },
  // What was read is no longer so.
  {
    ...{ edits: ['add', 'change', 'remove'], commands: ['review'], troubles: ['misled'], next: ['apply reviewed'] },
    deeds: ['change', 'end', 'make', 'apply', 'state mv', 'remove', 'drift record', 'refresh'],
  },
  // A run is taken back.
  {
    ...{ edits: editKinds, commands: ['apply', 'apply allowed'], troubles: ['kill', 'by hand'] },
    ...{ deeds: ['rekey', 'change', 'end', 'state mv', 'state rm', 'rename'], next: ['undo', 'undo', 'undo edit'] },
  },
  // What it changed is left to others by now.
  {
    ...{ edits: ['change', 'say'], types: ['yard:Site', 'yard:Page', 'yard:Route', 'yard:Board'], isFresh: true },
    ...{ commands: ['apply'], troubles: ['by hand'], inTurn: ['rule'], deeds: ['plan', 'change'], next: ['undo'] },
  },
  // Somebody looks.
  {
    ...{ commands: ['drift', 'fleet check', 'plan'], deeds: ['change', 'end', 'rename', 'make', 'move key'] },
    troubles: ['denied home', 'denied home', 'misled', 'by hand', 'unanswered'],
    next: ['drift', 'drift revert', 'drift record', 'refresh', 'fleet check', 'fleet plan'],
  },
  // And the files say something else by now, which no apply has done yet.
  {
    ...{ before: ['change', 'change', 'rename'], edits: ['drop', 'drop', 'change', 'say'], isFresh: true },
    ...{ types: ['yard:Site', 'yard:Page', 'yard:Route', 'yard:Board'], commands: ['drift', 'fleet check'] },
    ...{ troubles: ['by hand'], deeds: ['change', 'drop', 'keep', 'move key'] },
    next: ['drift revert', 'drift record', 'drift', 'drift accept', 'apply'],
  },
  // Right after a change by hand, of which answers may be old.
  {
    ...{ edits: ['add', 'change'], types: ['yard:Policy'], isFresh: true, isHasty: true, commands: ['apply'] },
    ...{ troubles: ['by hand'], deeds: ['change', 'change', 'move key'] },
    next: ['drift', 'drift', 'fleet check', 'drift record'],
  },
  // What was found is written into the files, or left out from then on.
  {
    ...{ before: ['change', 'move key', 'rename', 'end'], commands: ['drift'], troubles: ['by hand', 'misled'] },
    ...{ deeds: ['change', 'plan'], next: ['drift accept', 'drift accept', 'drift ignore', 'drift'] },
  },
  // Two look at once, and remember what they found.
  {
    ...{ before: ['change', 'move key', 'rename', 'end'], isOld: true, isBeside: true, commands: ['drift'] },
    ...{ troubles: ['by hand', 'by hand', 'misled'], deeds: ['change', 'change', 'plan'] },
    next: ['drift', 'fleet check', 'drift accept', 'fleet status'],
  },
  // Who plans has something else to do, too.
  {
    ...{ edits: ['change', 'add', 'remove'], isLate: true, commands: ['plan', 'plan', 'fleet plan'], isTwice: true },
    ...{ troubles: ['denied home'], deeds: ['plan', 'change'], next: ['plan', 'fleet plan', 'apply'] },
  },
  // At what is in another's home.
  {
    ...{ isVisited: true, commands: ['fleet check', 'fleet plan'], troubles: ['denied home'] },
    ...{ deeds: ['plan', 'change'], next: ['fleet check', 'fleet plan', 'drift'] },
  },
  // A home is called otherwise in its file, what lives in it follows, and a part of that is carried out.
  {
    ...{ edits: ['rekey'], then: ['rekey', 'move', 'change', 'add'], types: ['yard:Site'], isFresh: true },
    ...{
      commands: ['apply target', 'apply exclude', 'apply exclude', 'apply no-delete'],
      troubles: ['kill', 'by hand'],
    },
    ...{ deeds: ['change', 'rekey', 'remove', 'state mv', 'move', 'plan'] },
    next: ['apply target', 'apply exclude', 'apply', 'apply allowed', 'state mv', 'undo'],
  },
  // It has another key, and so has its home.
  {
    ...{ edits: ['rekey'], then: ['rekey', 'rekey', 'move'], types: ['yard:Site', ...inside], isFresh: true },
    ...{
      commands: applies,
      troubles: ['kill', 'by hand'],
      deeds: ['plan', 'rekey', 'change'],
      next: [...applies, 'undo'],
    },
  },
  // Its record goes where what lives in another one is recorded alone.
  {
    ...{ edits: ['rekey', 'remove'], types: ['yard:Site'], isFresh: true, commands: ['apply target', 'apply exclude'] },
    ...{ troubles: ['kill'], deeds: ['state mv', 'state mv', 'state rm'], next: ['state mv', 'state mv', 'apply'] },
  },
  // It is made anew, and what lives in it waits, or is left out.
  {
    ...{ edits: ['rekey', 'add', 'move'], types: ['yard:Site', ...inside, 'yard:Board'], isFresh: true },
    ...{ commands: ['replace but', 'replace but', 'apply replace'], troubles: ['kill', 'no ends', 'by hand'] },
    ...{ deeds: ['plan', 'change', 'move'], next: ['replace but', 'apply', 'apply no-delete', 'undo'] },
  },
  // What was replaced, and is still there, is wanted again: by another block, by its id, or by what had it.
  {
    ...{
      edits: ['renew'],
      types: inside,
      isFresh: true,
      commands: ['apply'],
      troubles: ['no ends', 'no ends', 'kill'],
    },
    ...{ inTurn: ['twin'], deeds: ['plan', 'twin', 'back', 'import', 'change'] },
    next: ['adopt', 'adopt old', 'adopt old', 'apply', 'drift'],
  },
  // Nobody knows of it any more.
  {
    ...{ edits: ['renew'], types: inside, isFresh: true, commands: ['apply'], troubles: ['kill', 'kill', 'no ends'] },
    ...{ deeds: ['state rm', 'state rm', 'protect', 'keep', 'remove', 'undo'] },
    next: ['apply', 'adopt', 'adopt old', 'undo', 'apply allowed', 'destroy allowed'],
  },
  // What took its place ends, too, and somebody takes that into the state.
  {
    ...{
      edits: ['renew'],
      types: inside,
      isFresh: true,
      commands: ['apply'],
      troubles: ['no ends', 'no ends', 'kill'],
    },
    ...{ deeds: ['end', 'end', 'plan'], next: ['refresh', 'refresh', 'drift record', 'apply', 'drift'] },
  },
  // It is protected, or stays when its block goes, before it ends.
  {
    ...{
      edits: ['renew'],
      types: inside,
      isFresh: true,
      commands: ['apply'],
      troubles: ['no ends', 'no ends', 'kill'],
    },
    ...{ inTurn: ['keep', 'remove'], deeds: ['protect', 'plan', 'keep'] },
    next: ['apply', 'apply', 'destroy', 'apply no-delete', 'undo'],
  },
  // Names go round, and one of them is held back.
  {
    ...{ edits: ['exchange'], then: ['exchange', 'exchange', 'remove', 'rekey'] },
    ...{ types: ['yard:Site', 'yard:Route', 'yard:Board'], isFresh: true },
    ...{ commands: ['apply no-delete', 'apply exclude', 'apply target', 'apply'], troubles: ['kill', 'by hand'] },
    ...{
      deeds: ['plan', 'exchange', 'rename', 'state rm'],
      next: ['apply no-delete', 'apply exclude', 'apply', 'undo'],
    },
  },
  // The files go on, and an earlier run is taken back in them.
  {
    ...{ edits: ['change', 'say', 'drop', 'remove', 'add', 'keep'], then: ['change', 'protect'], isFresh: true },
    ...{ commands: ['apply', 'apply', 'apply target'], troubles: ['kill', 'by hand'] },
    ...{ inTurn: ['change', 'rekey', 'say'], deeds: ['change', 'remove', 'drop', 'rekey', 'move', 'apply'] },
    next: ['undo edit', 'undo edit', 'undo'],
  },
  // They say something else beside what it changed, too.
  {
    ...{ edits: ['change', 'say'], types: ['yard:Site', 'yard:Board', 'yard:Route'], isFresh: true },
    ...{ commands: ['apply'], troubles: ['by hand'], inTurn: ['say', 'change', 'change'] },
    ...{ deeds: ['plan', 'change'], next: ['undo edit'] },
  },
  // A record goes to another stack, that is cut off anywhere, and somebody takes it back.
  {
    ...{
      edits: ['add', 'change'],
      isFresh: true,
      isLate: true,
      commands: ['state mv to'],
      troubles: ['kill', 'cut off'],
    },
    ...{ deeds: ['plan', 'state mv to', 'state rm', 'undo', 'remove'] },
    next: ['undo', 'undo', 'undo edit', 'state mv to', 'state mv to', 'apply'],
  },
  // The lease of who works is broken, and others take it.
  {
    ...{ edits: ['add', 'change', 'remove', 'renew'], commands: ['apply', 'apply', 'undo'] },
    ...{ troubles: ['unlocked', 'unlocked', 'held'], wait: [2_000, 40_000] },
    ...{ deeds: ['unlock', 'unlock', 'apply waiting', 'state rm', 'freeze'] },
    next: ['apply', 'apply waiting', 'undo'],
  },
  // Somebody stops it before it has its lease, or when it gives that back.
  {
    ...{ edits: ['change', 'add', 'remove'], isAtOnce: true, deeds: ['plan', 'change', 'apply waiting'] },
    ...{
      commands: ['apply', 'apply', 'destroy', 'undo', 'apply waiting'],
      troubles: ['stop', 'stop', 'kill', 'cut off'],
    },
    next: ['apply', 'apply waiting', 'undo'],
  },
  // What a killed run was to make is looked for while lists are wrong.
  {
    ...{
      edits: ['add', 'twin'],
      isLate: true,
      isLied: true,
      commands: ['apply'],
      troubles: ['kill', 'kill', 'unanswered'],
    },
    ...{ deeds: ['make', 'plan', 'rename'], next: ['apply', 'apply', 'apply waiting', 'drift', 'refresh'] },
  },
  // What people changed is taken into the state while lists are wrong.
  {
    ...{ before: ['change', 'change', 'rename'], isCrowded: true, isLied: true, commands: ['plan', 'drift'] },
    ...{ troubles: ['misled'], deeds: ['change', 'plan'], next: ['refresh', 'refresh', 'drift record', 'apply'] },
  },
  // The same where there are several, here and there.
  {
    ...{ edits: ['add'], then: ['add', 'twin'], types: inside, isCrowded: true, isLied: true, commands: ['apply'] },
    ...{ troubles: ['kill'], deeds: ['make', 'plan'], next: ['apply', 'apply', 'apply waiting', 'adopt'] },
  },
  // All are asked to wait while the store is slow to note what is about to leave.
  {
    ...{
      edits: ['add', 'change', 'remove'],
      then: ['add', 'add'],
      commands: ['apply'],
      troubles: ['held', 'held', 'kill'],
    },
    ...{ isSlow: true, deeds: ['plan', 'add'], next: ['apply'] },
  },
  // What no file says is put right while people change it.
  {
    ...{ before: ['change'], isOld: true, commands: ['drift revert'], troubles: ['by hand'] },
    ...{ deeds: ['change', 'change', 'plan'], next: ['drift revert', 'drift revert', 'drift'] },
  },
  // Somebody looks for what nobody manages while the old object of a replacement is still there.
  {
    ...{
      edits: ['renew'],
      types: inside,
      isFresh: true,
      commands: ['apply'],
      troubles: ['no ends', 'no ends', 'kill'],
    },
    ...{ deeds: ['protect', 'plan', 'change'], next: ['drift', 'drift', 'fleet check', 'destroy'] },
  },
  // Another stack is still to end what it has replaced in a home that ends, or that is wanted here: by its name, or by its id.
  {
    ...{ isVisited: 'twice', edits: ['remove'], types: ['yard:Site'], commands: ['apply', 'apply allowed', 'destroy'] },
    ...{ troubles: ['no ends', 'by hand', 'kill'], deeds: ['plan', 'drift', 'apply'] },
    next: ['apply allowed', 'destroy allowed', 'drift', 'apply'],
  },
  {
    ...{ isVisited: 'twice', edits: ['twin', 'import'], types: inside, commands: ['apply', 'adopt', 'adopt old'] },
    ...{ troubles: ['by hand', 'kill'], deeds: ['plan', 'twin', 'adopt old', 'apply no-delete'] },
    next: ['adopt old', 'adopt', 'apply', 'apply allowed', 'drift'],
  },
  // It stays when its block goes, and something else is to have its name, or its home ends.
  {
    ...{ edits: ['keep'], types: ['yard:Site', 'yard:Route', ...inside], isFresh: true, commands: ['apply'] },
    ...{ troubles: ['by hand', 'kill'], inTurn: ['exchange', 'remove'], deeds: ['plan', 'remove'] },
    next: ['plan', 'apply', 'apply'],
  },
  // Nothing ends, and something else is to have the name, or the home, of what stays.
  {
    ...{ edits: ['remove', 'rekey'], then: ['twin', 'add'], isFresh: true, troubles: ['no ends', 'kill', 'by hand'] },
    ...{ commands: ['apply no-delete', 'apply no-delete', 'apply exclude'], deeds: ['plan', 'change', 'twin'] },
    next: ['apply no-delete', 'apply', 'undo'],
  },
];

const recordWriters = /^(?:state|adopt|refresh|drift record)/;

/** Where most of what is written shows late. */
const hasty = meetings.filter(({ isHasty }) => isHasty === true);

/** At once, and when the first one's lease is over, or all that it wrote shows. */
const soon = [2_000, 16_000] as const;
const settled = [140_000, 400_000] as const;
const spans: readonly (readonly [least: number, most: number])[] = [
  ...[soon, soon, soon, settled],
  ...([
    [31_000, 60_000],
    [60_000, 140_000],
  ] as const),
];

/** A few meetings, one after the other. */
export function meetingsOf(chance: Chance, stacks: readonly string[], isLate: boolean): readonly Act[] {
  const first = { edits: ['add'], types: blockTypes, abroad: 0, last: 0 } as const;
  const acts: Act[] = stacks.flatMap((stack, nth) =>
    nth > 0 && chance.happens(200)
      ? newcomer(chance, stack)
      : [written(chance, stack, 0, chance.between(2, 5), first), run(chance, stack, 'apply', chance.between(1, 900))],
  );
  // Most of what is made at first shows when the first one begins.
  let atMs = chance.happens(600) ? 400_000 : 15_000;
  for (let left = chance.between(2, 4); left > 0; left -= 1) {
    const some = meeting(chance, stacks, atMs, isLate && chance.happens(500) ? hasty : meetings);
    acts.push(...some);
    atMs = Math.max(...some.map((act) => act.atMs)) + chance.pick([20_000, 200_000, 400_000]);
  }
  return acts.sort((one, other) => one.atMs - other.atMs);
}

/** The first thing that somebody does with a stack is to take over what others have made. */
function newcomer(chance: Chance, stack: string): readonly Act[] {
  const made = [2_000, 2_500].map((atMs): Act => {
    return { atMs, kind: 'edit by hand', how: 'make', of: 'the last', seed: chance.between(0, 2 ** 31) };
  });
  const taking = { edits: ['import', 'twin'], types: blockTypes, abroad: 0, last: 800 } as const;
  return [
    ...made,
    written(chance, stack, 3_000, 2, taking),
    run(chance, stack, chance.pick(['adopt', 'adopt one']), 4_000),
    run(chance, stack, chance.pick(['adopt', 'adopt one', 'plan']), 8_000),
    run(chance, stack, 'apply', 12_000),
  ];
}

function meeting(chance: Chance, stacks: readonly string[], atMs: number, of: readonly Meeting[]): readonly Act[] {
  const about = chance.pick(of);
  const stack = chance.pick(stacks);
  const others = stacks.filter((each) => each !== stack);
  const habits = { edits: about.edits ?? [], types: about.types ?? blockTypes, abroad: 0, last: 750, again: 500 };
  const acts: Act[] = [];
  let now = atMs;
  if (about.isVisited !== undefined && others.length > 0 && chance.happens(750)) {
    const visitor = chance.pick(others);
    const visiting = { edits: ['add'], types: inside, abroad: 1000, last: 0 } as const;
    const end = chance.happens(250) ? { mishap: trouble(chance, { ...about, troubles: ['kill'] }) } : {};
    acts.push(written(chance, visitor, now - 1, chance.between(2, 4), visiting), {
      ...run(chance, visitor, 'apply', now),
      ...end,
    });
    now += chance.between(2_000, 9_000);
    if (about.isVisited === 'twice') {
      const again = { ...visiting, edits: ['renew', 'renew', 'move'] } as const;
      const mishap = trouble(chance, { ...about, troubles: ['no ends', 'no ends', 'kill'] });
      acts.push(written(chance, visitor, now - 1, 2, again), { ...run(chance, visitor, 'apply', now), mishap });
      now += chance.between(2_000, 9_000);
    }
  }
  const giver = about.isGiven === true && others.length > 0 ? chance.pick(others) : undefined;
  if (giver !== undefined) {
    const giving = { ...habits, edits: ['add', 'change'] } as const;
    acts.push(written(chance, giver, now - 1, chance.between(1, 3), giving), run(chance, giver, 'apply', now));
    now += chance.between(...soon);
    // What it records may come between what the other one reads and what that takes.
    const since = now - chance.between(0, 350);
    if (chance.happens(500)) acts.push(written(chance, giver, since - 2, 1, { ...habits, edits: ['change'] }));
    else
      acts.push({
        ...{ atMs: since - 2, kind: 'edit by hand', how: 'change', of: 'the last' },
        seed: chance.between(0, 2 ** 31),
      });
    const meanwhile = chance.pick(['refresh', 'apply', 'apply', 'drift record', 'state rm', 'state mv'] as const);
    // Of who dies amid that, something is open.
    const end = chance.happens(300) ? { mishap: trouble(chance, { ...about, troubles: ['kill'] }) } : {};
    acts.push({ ...run(chance, giver, meanwhile, since), ...end });
  }
  // What is written a moment before does not show yet.
  if (about.isFresh === true || chance.happens(300)) {
    const before = { ...habits, edits: ['add', 'change'] } as const;
    acts.push(written(chance, stack, now - 1, chance.between(1, 2), before), run(chance, stack, 'apply', now));
    now += chance.between(...soon);
  }
  const isDense = about.isCrowded === 'in one place' || (about.isCrowded === true && chance.happens(300));
  for (let left = isDense ? 7 : about.isCrowded === true ? 4 : 0; left > 0; left -= 1)
    acts.push({
      ...{ atMs: now - 2, kind: 'edit by hand', how: 'make', seed: chance.between(0, 2 ** 31) },
      ...(isDense && { of: 'the last' as const }),
    });
  if (about.before !== undefined) {
    acts.push(...done(chance, about, chance.pick(about.before), stack, now));
    now += about.isOld === true ? chance.between(400_000, 600_000) : chance.between(...soon);
  }
  if (habits.edits.length > 0) acts.push(written(chance, stack, now - 1, chance.between(1, 3), habits));
  if (about.then !== undefined)
    acts.push(written(chance, stack, now - 1, chance.between(1, 2), { ...habits, edits: about.then }));
  const command = chance.pick(about.commands);
  // Who allows something has read what holds it back.
  if (command.endsWith('allowed')) {
    acts.push(run(chance, stack, 'plan', now));
    now += chance.between(1_000, 4_000);
  }
  const mishap = chance.happens(850) ? { mishap: trouble(chance, about, command) } : {};
  acts.push({ ...run(chance, stack, command, now), ...mishap });
  if (about.isBeside === true) acts.push(run(chance, stack, command, now + chance.between(1, 40)));
  const isHasty = about.isHasty === true && chance.happens(800);
  const isLate = about.isLate === true && chance.happens(600);
  const [least, most] = about.wait ?? (isHasty ? soon : isLate ? settled : chance.pick(spans));
  const next = now + chance.between(least, most);
  const either = (perMille: number): string =>
    chance.pick(chance.happens(perMille) && others.length > 0 ? others : [stack]);
  for (let left = chance.pick([0, 1, 1, 2]); left > 0; left -= 1) {
    const deed = chance.pick(about.deeds);
    const at = chance.happens(300) ? now + between(chance) : chance.between(now + 500, next - 1);
    acts.push(...done(chance, about, deed, either(deed === 'twin' ? 600 : deed === 'state mv to' ? 800 : 200), at));
  }
  if (about.inTurn !== undefined)
    for (const edit of about.inTurn) acts.push(written(chance, stack, next - 2, 1, { ...habits, edits: [edit] }));
  if (about.isReviewed === true) {
    const ms = chance.between(20_000, 90_000);
    const amid = { kind: 'unanswered', atWrite: 0, afterMs: 0, ms, isOfWrites: true } as const;
    const carriedOut = run(chance, stack, 'apply reviewed', next + chance.between(6_000, 40_000));
    acts.push(run(chance, stack, 'review', next), {
      ...{ ...carriedOut, mishap: { ...amid, arrive: chance.pick([0, 0, 500, 1000]) } },
    });
    return acts;
  }
  const lied = about.isLied === true ? { often: chance.pick([700, 250]), lie: chance.pick(likelyLies) } : {};
  const misled = { mishap: { kind: 'misled', afterMs: 0, ms: chance.between(30, 1_500), ...lied } } as const;
  // Who looks again may be denied the same.
  const isDenied = about.edits === undefined && chance.happens(500);
  const isMisled = about.isLied === true || (!isDenied && chance.happens(about.isLate === true ? 700 : 400));
  const isAgain = isDenied || chance.happens(about.isTwice === true ? 700 : 150);
  // What an interrupted run has left is looked for in vain, and then the service is there.
  const isCutShort = isHasty && chance.happens(300);
  const outage = { mishap: { kind: 'unanswered', afterMs: 0, ms: chance.between(6_000, 14_000) } } as const;
  const troubled = isCutShort ? outage : isMisled ? misled : isAgain ? mishap : {};
  acts.push({ ...run(chance, stack, chance.pick(about.next), next), ...troubled });
  if (isHasty || chance.happens(500)) {
    const [from, to] = isHasty ? soon : chance.pick(spans);
    const last = chance.pick([...about.next, 'apply'] as const);
    acts.push(run(chance, either(isHasty ? 0 : 400), last, next + chance.between(from, to)));
  }
  return acts;
}

/** Of machines that stand still some sleep. */
function trouble(chance: Chance, about: Meeting, command: Command = 'apply'): Mishap {
  const mishap = awake(chance, about, command);
  return mishap.kind === 'freeze' && chance.happens(300) ? { ...mishap, dozes: true } : mishap;
}

/** Most of it strikes when a write is under way. */
function awake(
  chance: Chance,
  { troubles, edits, isEarly, isCrowded, isAtOnce, isSlow, tarries }: Meeting,
  command: Command,
): Mishap {
  const kind = chance.pick(troubles);
  if (kind === 'denied home') return { kind, afterMs: 0 };
  // Who is told one wrong thing among right ones goes on.
  if (kind === 'miscounted') return { kind, afterMs: 0, ms: chance.between(100, 3_000) };
  if (kind === 'misled') {
    const alike = chance.happens(isCrowded === undefined ? 300 : 700) ? { lie: chance.pick(likelyLies) } : {};
    return { kind, afterMs: 0, ms: chance.between(100, 3_000), often: chance.pick([700, 250]), ...alike };
  }
  // Longer than a look counts, and than a lease lives.
  const [least, most] = chance.pick([
    [11_000, 19_000],
    [31_000, 90_000],
    [5_000, 40_000],
  ] as const);
  const ms = chance.between(least, most);
  if (isAtOnce === true && kind !== 'by hand') {
    // Most of its first questions are about the lease; and some of those when it writes nothing more.
    const isLast = chance.happens(200) ? { atWrite: 1 } : {};
    return { kind, ...isLast, atQuestion: chance.between(1, 9), afterMs: chance.between(0, 2), ms };
  }
  const atLook = kind === 'by hand' && chance.happens(400) ? { atLook: chance.between(1, 4) } : {};
  // Who writes nothing but records is struck between two of its questions to the store.
  if (kind !== 'by hand' && recordWriters.test(command))
    return {
      kind,
      atQuestion: command === 'state mv to' ? chance.pick([8, 9, 9, 10, chance.between(1, 16)]) : chance.between(1, 12),
      afterMs: 0,
      ms,
    };
  // Who only looks never writes.
  if (edits === undefined) return { kind, afterMs: between(chance), ms, ...atLook };
  // While a plan looks, or between a write and a look at what it has done.
  if (kind === 'by hand' && chance.happens(isEarly === true ? 800 : 150))
    return { kind, afterMs: 0, atLook: chance.between(1, 8) };
  const atWrite = kind === 'by hand' ? chance.pick([0, 0, 0, 1, 2]) : 1;
  if (kind === 'by hand') return { kind, atWrite, afterMs: chance.between(0, atWrite === 0 ? 30 : 120), ...atLook };
  if (kind === 'no ends')
    return { kind, afterMs: 0, ms: 600_000, ...(chance.happens(400) ? { of: chance.pick([0, 1] as const) } : {}) };
  if (kind === 'held') {
    const then = {
      kind: 'kill',
      inMs: 0,
      atWrite: chance.pick([1, 2, 2, 2, 3]),
      afterMs: chance.between(0, 100),
    } as const;
    // Some live on.
    const dies = chance.happens(600) ? { then } : {};
    const slow = isSlow === true ? { isStoreSlow: isSlow } : {};
    return {
      kind,
      atWrite: chance.pick([0, 0, 1, 2]),
      afterMs: 0,
      ms: chance.between(70_000, 118_000),
      ...dies,
      ...slow,
    };
  }
  if (kind === 'freeze' && chance.happens(400)) return { kind, afterMs: between(chance), ms };
  // When it asks for its lease: what it hears then is old.
  if (kind === 'freeze' && chance.happens(300))
    return { kind, atQuestion: chance.between(1, 4), afterMs: 0, ms: chance.between(15_000, 28_000) };
  if (kind === 'cut off' && tarries === true)
    return { kind, atWrite: chance.between(1, 2), afterMs: chance.between(0, 30), ms: 60_000, tarries };
  // When it reaches the store again it has to tell what it kept.
  if (kind === 'cut off' && chance.happens(500)) {
    const then = chance.pick(['kill', 'cut off'] as const);
    const again = { kind: then, inMs: ms, atQuestion: chance.between(1, 6), afterMs: 0, ms };
    return { kind, atWrite: chance.between(1, 2), afterMs: chance.between(0, 30), ms, then: again };
  }
  // Between a question to the store and its answer: where each request takes seconds, most of these are beats of a lease.
  if (kind !== 'unanswered' && chance.happens(kind === 'freeze' ? 600 : 150)) {
    const isSlow = chance.happens(700) ? { isSlow: true as const } : {};
    return { kind, atWrite: chance.between(1, 3), atQuestion: chance.between(1, 6), afterMs: 0, ms, ...isSlow };
  }
  // All that it was about to write may be lost, and each look be answered.
  if (kind === 'unanswered' && chance.happens(600)) {
    const arrive = chance.pick([0, 500, 500, 1000]);
    const isOfWrites = chance.happens(600) ? { isOfWrites: true as const, arrive } : {};
    const ending = chance.pick(['kill', 'stop', 'stop'] as const);
    const then = { kind: ending, inMs: 0, atLook: chance.pick([1, 1, 1, 2, 3, 4, 5, 6]), afterMs: 0 };
    const ends = chance.happens(350) ? { then } : {};
    return { kind, atWrite: 0, afterMs: chance.between(0, 10), ms, ...isOfWrites, ...ends };
  }
  const meets = chance.happens(200) ? { meets: true as const } : {};
  return { kind, atWrite: chance.pick([1, 1, 1, 2, 2, 3]), afterMs: chance.between(0, 100), ms, ...meets };
}

function done(
  chance: Chance,
  { types = blockTypes }: Meeting,
  deed: HandKind | EditKind | Command,
  stack: string,
  atMs: number,
): readonly Act[] {
  const isHand = (it: string): it is HandKind => (handKinds as readonly string[]).includes(it);
  const edits: readonly string[] = [...editKinds, 'twin', 'renew', 'say', 'take', 'keep'];
  const isEdit = (it: string): it is EditKind => edits.includes(it);
  // Both people and files change things.
  if (isHand(deed) && (!isEdit(deed) || chance.happens(600)))
    return [{ atMs, kind: 'edit by hand', how: deed, of: 'the last', seed: chance.between(0, 2 ** 31) }];
  if (!isEdit(deed)) return [run(chance, stack, deed, atMs)];
  const edit = written(chance, stack, atMs, 1, { edits: [deed], types, abroad: 500, last: 800, again: 500 });
  if (chance.happens(400)) return [edit];
  const applied = run(chance, stack, 'apply', atMs + 1);
  // Somebody has read what holds it back, and wants it.
  return deed === 'twin' ? [edit, applied, run(chance, stack, 'apply allowed', atMs + 1_500)] : [edit, applied];
}

function run(chance: Chance, stack: string, command: Command, atMs: number): Extract<Act, { readonly kind: 'run' }> {
  return { atMs, kind: 'run', stack, command, skewMs: 0, seed: chance.between(0, 2 ** 31) };
}

function written(chance: Chance, stack: string, atMs: number, edits: number, habits: Habits): Act {
  return { atMs, kind: 'write files', stack, edits, seed: chance.between(0, 2 ** 31), habits };
}
