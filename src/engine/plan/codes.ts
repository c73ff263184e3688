import type { DiagnosticCodes } from '../model/diagnostic.js';

/** What planning reports. */
export const planCodes = {
  'cannot-clear': {
    title: 'A property can not be put back to a default',
    explanation:
      'The property was taken out of the catalogue, and the platform has no way to clear it. It keeps its value and is not managed any more; the plan says so once. To change it, declare it again.',
  },
  'contents-unread': {
    title: 'It was not looked for everything that ends along with an object',
    explanation:
      'What lives in an object ends with it. A plan looks for objects that nobody manages in what it deletes or replaces, and holds back for them (`goes-along:ADDRESS`); but of a type that lives in more than ten of the objects that end it does not, since each would take a request, nor where a list could not be read. `--refresh full` looks for all of them.',
  },
  'costly-replacement': {
    title: 'An object is replaced for what could be edited in place',
    explanation:
      'The changed property replaces its object, and everything in it ends with it. The platform keeps the same thing as an object of its own (the specification of an API as its version), where a change replaces nothing. `sync fix` moves the property there, and the existing object is taken over.',
  },
  'key-exchange': {
    title: 'Resources exchange their names in a way that has no order',
    explanation:
      'Each takes a name or key that the other gives up in the same plan, and neither can step aside for a moment. The platform would refuse the first of them in the middle of the run, so nothing is planned. Give one a name of its own in a run before.',
  },
  'likely-rename': {
    title: 'A resource that is created may be one that is deleted, renamed',
    explanation:
      'One resource leaves the catalogue and another comes, of the same type and with the same contents, under another key and another name. Nothing tells the program that they are one object, so one is deleted and the other made. If it is a rename, `aliases` in the options of the new one says so, and the object is changed in place.',
  },
  'passing-name': {
    title: 'An object carries a passing name for a moment',
    explanation:
      'Resources exchange names that the platform does not have twice. One of them is first given a name that nobody else has (`moving-` and its id), then the other gets its name, then it gets its own. A run that is ended in between leaves the passing name; the next one goes on from there.',
  },
  'managed-elsewhere': {
    title: 'Another stack manages the object',
    explanation:
      "The object that the resource would take over, by its import id or by its key, is recorded in another stack of the same state store. Two stacks that manage one object undo each other's work. Take the resource out of one of them, or hand the object over with `sync state mv ADDRESS --stack OTHER --to-stack THIS`.",
  },
  'marked-elsewhere': {
    title: 'The object bears the mark of another stack',
    explanation:
      'With `ownership: label`, objects say by two labels whose they are, and the object that the resource would take over, by its import id or by its key, says that it belongs to another stack or project, which may keep its state elsewhere. Take the resource out of one of them. An object that nobody manages any more is free when the labels are taken off.',
  },
  'key-taken': {
    title: 'Another resource has the key that one is to get',
    explanation:
      'The platform keeps objects of this type apart by their key (an API by name and version), and another resource of the catalogue has it and keeps it. Give one of them another key, or take one of the blocks out.',
  },
  'key-held': {
    title: 'An object outside the stack has the key that another one is to get',
    explanation:
      'The file gives a resource a key (an API its name and version) that another object on the platform has, and the stack does not manage that one. The platform would refuse the change in the middle of the run. Choose another key, or change or delete the other object first.',
  },
  'key-outside': {
    title: 'A selection would leave a key where it is',
    explanation:
      'A resource is to get the key that another one gives up in the same plan, and only one of the two is selected by `--target` or `--exclude`. Select both.',
  },
  'move-outside': {
    title: 'A selection would cut a move in two',
    explanation:
      'The resource takes over the object that was recorded at another address, and only one of the two addresses is selected by `--target` or `--exclude`. Select both.',
  },
  'recorded-twice': {
    title: 'State has one object at two addresses',
    explanation:
      'Versions before this one could record an object twice. What is done at one address would be undone at the other, so nothing is planned. `sync state rm ADDRESS` lets go of the wrong record; the object stays.',
  },
  'same-name': {
    title: 'An object of this name exists already',
    explanation:
      'The platform does not keep these names unique, so the name does not tell whether the existing object is meant. If it is, say so: `aliases` for a resource that was renamed in the catalogue, `import` for an object that nobody manages. Beside an object that this stack has no record of, nothing is created until the guard `same-name:ADDRESS` is lifted; a reviewed plan without that guard is refused once such an object exists.',
  },
  'not-looked-for': {
    title: 'What an adopted object holds was not looked for',
    explanation:
      'The plan takes over an object by its key or its import id, and creates others in it. No key of theirs is unique, so an ordinary plan does not look for them, and if they exist already, they are there twice afterwards, or the platform refuses them. `sync adopt` reads what is there and takes it over; where nothing is, go on.',
  },
  'left-out': {
    title: 'Changes that a plan without deletes lacks',
    explanation:
      'With `--no-delete` a plan creates and updates only. Deletes and replacements are left out, and with them what needs a resource that stays as it is, or is to get a key that its object keeps. They are in `leftOut` of the plan, and in the next plan without the flag.',
  },
  'home-kept': {
    title: 'An object stays for what lives in it',
    explanation:
      'It would be deleted or replaced, and what is excluded from the plan lives in it and would end with it. So it stays, too, and so does what waits for its replacement.',
  },
  'order-kept': {
    title: 'The order of pages stays as it is',
    explanation:
      '`order` in the front matter of a page says after which other page it is created. The platform moves a page with a call of its own, which this tool never makes: pages that exist stay where they are, and their places are never drift. Move them on the platform. It is told once, in the plan that first sees the new order.',
  },
  'removed-nothing': {
    title: 'Nothing to let go of',
    explanation:
      'An entry of `removed` names an address that state does not have. After the apply that let go of the object this is so, and the entry may stay until every stack was applied. A name much like one that state has is a warning: it may be misspelt.',
  },
  'no-record': {
    title: 'Nothing is recorded for the stack',
    explanation:
      "State holds no record of any object. Before the first apply that is as it should be; else the state was lost, or this is another one, and `sync adopt` records what exists. A plan then sees only what has a unique key, a drift check can compare nothing and ends with 3, and nothing is deleted. Where the stack says `adopt: byKey` and has no state: what exists is found by its key. What left the catalogue can't be told from what others made, so it stays, and `sync destroy` deletes nothing. The guide on living without kept state says what else follows.",
  },
  'bad-import-id': {
    title: 'Not an import id of this type',
    explanation:
      'An id is a plain string, or for objects that live in another one a JSON object with both ids. The message shows the form; `sync schema TYPE` shows it, too.',
  },
  'import-elsewhere': {
    title: 'The object to take over lives somewhere else',
    explanation:
      'What an object lives in can not be changed, so taking it over would only have the next plan replace it. Correct the id that `sync import` was given, or write the resource under the object that has it.',
  },
  'plan-not-a-plan': {
    title: 'The file is not a plan',
    explanation: 'Only what `sync plan --out FILE` wrote can be shown or applied.',
  },
  'plan-altered': {
    title: 'The plan file was changed after it was written',
    explanation:
      'A plan carries a checksum over all of its bytes, and this one does not match. Nothing is applied (exit code 5). Make a new plan and have it reviewed.',
  },
  'plan-outdated': {
    title: 'The plan was made by an earlier version of this program',
    explanation:
      'Its format is an older one, and what it says may mean something else today. Nothing is applied (exit code 5). Make a new plan and have it reviewed.',
  },
  'plan-version': {
    title: 'The plan is of another format version',
    explanation: 'It was written by another version of this program. Plan again with the version that applies.',
  },
  'derived-type': {
    title: 'A type is used for the first time that only rules made',
    explanation:
      "Its definition follows from the platform's own description (docs/guides/types.md), and no test against the platform has proven it. It plans, applies and drifts as every type does; it never takes over an object by its name unasked, and `sync export` and `drift.unmanaged: all` leave it out unless it is named.",
  },
  'shown-once': {
    title: 'A secret of a new object is shown once, and kept nowhere',
    explanation:
      'The platform chooses it and answers it when the object is made, never again. This tool writes secrets into no state, log or report, so nobody sees it. Choose it yourself where the type takes it; else make the object where you can take it, and import it: from then on it is managed as any other.',
  },
  'held-back': {
    title: 'Something is not created or changed, since what exists is not known',
    explanation:
      'The collection it belongs to could not be read, so it may exist already; or what it needs is held back itself. It counts as not compared (exit code 3). The detail says what went wrong.',
  },
} as const satisfies DiagnosticCodes;
