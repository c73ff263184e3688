/** A bug that the simulator must find: one text of the sources with another in its place. */
export interface PlantedBug {
  readonly name: string;
  readonly file: string;
  readonly before: string;
  readonly after: string;
}

const apply = 'src/engine/engine/apply';
const refresh = 'src/engine/engine/refresh';
const plan = 'src/engine/engine/plan';
const state = 'src/engine/state';
const http = 'src/providers/rest/http';

export const planted: readonly PlantedBug[] = [
  {
    name: 'a create leaves before it is in the journal',
    file: `${apply}/create.ts`,
    before: '    await progress.journal.begin(intent);\n',
    after: '',
  },
  {
    name: 'a delete leaves before it is in the journal',
    file: `${apply}/delete.ts`,
    before: '  await progress.journal.begin(intent);\n',
    after: '',
  },
  {
    name: 'an update leaves before it is in the journal',
    file: `${apply}/update.ts`,
    before: 'if (!isEmpty) await progress.journal.begin(intent);',
    after: '',
  },
  {
    name: 'a delete whose answer was lost is told as done',
    file: `${apply}/delete.ts`,
    before: "if (error.kind !== 'ambiguous') {",
    after:
      "if (error.kind === 'ambiguous') return progress.commit([...done(), { kind: 'close-intent', id: intent.id }]);\n    {",
  },
  {
    name: 'no delete is sent for what the last look does not show',
    file: `${apply}/delete.ts`,
    before: '  await mustHoldNothingElse(context',
    after: '  if (current === undefined) return progress.commit(done());\n  await mustHoldNothingElse(context',
  },
  {
    name: 'what came into an object since the plan ends with it',
    file: `${apply}/staleness.ts`,
    before: 'else if (homes.has(homeOf(type, object.identity)))',
    after: 'else if (homes.has(""))',
  },
  {
    name: 'a lost create is looked for once, and sent again',
    file: `${apply}/create.ts`,
    before: 'return await searchCreate({',
    after: "return { kind: 'absent' };\n    return await searchCreate({",
  },
  {
    name: 'an answer that was lost is no reason to look',
    file: `${http}/retry.ts`,
    before: "return method !== 'POST';",
    after: 'return true;',
  },
  {
    name: 'a whole write goes upon what the plan read',
    file: `${apply}/staleness.ts`,
    before: 'if (type.isWrittenWhole !== true && !step.changes.some(isSent)) return actual;',
    after: 'if (isSent !== undefined) return actual;',
  },
  {
    name: 'a stale step writes all the same',
    file: `${apply}/staleness.ts`,
    before: 'if (ours.length > 0) throw unwritten(',
    after: 'if (ours.length > 99) throw unwritten(',
  },
  {
    name: 'the record of a create is not kept',
    file: `${apply}/create.ts`,
    before:
      'await progress.put(type, recordWith(object), declared, object, [intent.id, ...settledBy(context, type, key)]);',
    after: 'await progress.journal.close(intent);',
  },
  {
    name: 'a step that failed is told as done',
    file: `${apply}/execute.ts`,
    before: 'results.failed(operation, stepAction(context, operation), diagnostics);',
    after: 'results.done(operation, stepAction(context, operation), undefined, 0);',
  },
  {
    name: 'an open create is taken for not sent',
    file: `${apply}/recover.ts`,
    before: "case 'unproven':\n        if (intent.action === 'create') {",
    after: "case 'unproven':\n        if (intent.action === 'update') {",
  },
  {
    name: 'what a killed run made is forgotten',
    file: `${apply}/recover.ts`,
    before: '        this.#adopt(intent, finding.object);',
    after: '',
  },
  {
    name: 'an open delete is done',
    file: `${apply}/recover.ts`,
    before:
      '        if (intent.identity !== undefined) this.deleting.add(identityKey(intent.type, intent.identity));\n',
    after: '        this.#forget(intent);\n',
  },
  {
    name: 'one denial proves that an object is gone',
    file: `${refresh}/evidence.ts`,
    before: 'return isDenied(await ask()) && isDenied(await askAgain());',
    after: 'return isDenied(await ask()) || askAgain === undefined;',
  },
  {
    name: 'what was written a moment ago is gone when it does not show',
    file: `${refresh}/evidence.ts`,
    before: 'return settleMs > 0 ?',
    after: 'return settleMs < 0 ?',
  },
  {
    name: 'an object that a list lacks is gone',
    file: `${refresh}/evidence.ts`,
    before: 'if (failure !== undefined) return failedBy(failure);\n    if (listsThatMustLack(type.absence) === 2)',
    after:
      "if (failure !== undefined) return failedBy(failure);\n    if (list.isComplete) return { kind: 'gone' };\n    if (listsThatMustLack(type.absence) === 2)",
  },
  {
    name: 'one list is enough for what can not be read alone',
    file: `${refresh}/evidence.ts`,
    before: 'const isLacking = isComplete && !isShown;',
    after: 'const isLacking = isComplete || !isShown;',
  },
  {
    name: 'what lives in a site that is denied is gone with it',
    file: `${refresh}/evidence.ts`,
    before: '      const isGone = await isDeniedTwice(',
    after: '      const isGone = true || await isDeniedTwice(',
  },
  {
    name: 'a cut list is whole',
    file: `${http}/list-reader.ts`,
    before: '  return list.wrong ?? list.whole();\n}',
    after: '  return list.whole();\n}',
  },
  {
    name: 'a write leaves without asking whether it may',
    file: `${http}/exchange.ts`,
    before: 'else if (!this.#mayLeave()) controller.abort(new NotSentError());',
    after: '',
  },
  {
    name: 'a lease is good for sending to its very end',
    file: `${state}/lease-term.ts`,
    before: "if (left < sendMs) this.#late.abort('late');",
    after: "if (left < -sendMs) this.#late.abort('late');",
  },
  {
    name: 'a run that stood still does not look at the clock',
    file: `${state}/lease-term.ts`,
    before: '  mayWrite(): boolean {\n    this.#look();\n',
    after: '  mayWrite(): boolean {\n',
  },
  {
    name: 'a lease is taken from whoever holds it',
    file: `${state}/sql-lease.ts`,
    before: 'and (lease_id is null or lease_expires <= ${now})',
    after: 'and (lease_id is null or lease_expires > 0)',
  },
  {
    name: 'a lease that is over can be confirmed',
    file: `${state}/sql-lease.ts`,
    before: 'where ${ofStack(key)} and lease_id = ${id} ${only} and lease_expires > ${database.now()}`)) > 0;',
    after: 'where ${ofStack(key)} ${only}`)) > 0;',
  },
  {
    name: 'state is written under any lease',
    file: `${state}/sql-store.ts`,
    before:
      'and lease_id = ${lease.id} and lease_fence = ${lease.token}\n        and lease_expires > ${now} returning serial,',
    after: 'returning serial,',
  },
  {
    name: 'after Ctrl-C what waits is sent',
    file: 'src/engine/engine/use-cases/lease.ts',
    before: 'mayWrite: () => term.mayWrite() && !dropped.aborted, dropped,',
    after: 'mayWrite: () => term.mayWrite(), dropped: term.over,',
  },
  {
    name: 'protection in state does not count',
    file: `${plan}/guards/guard.ts`,
    before: 'if (ends.length === 0) return [];\n  const marks',
    after: 'if (ends.length >= 0) return [];\n  const marks',
  },
  {
    name: 'nobody asks what else ends along',
    file: `${plan}/guards/guard.ts`,
    before: 'const inside = groupBy(others,',
    after: 'const inside = groupBy(others.slice(99),',
  },
  {
    name: 'what ends along is not looked for',
    file: `${plan}/contents.ts`,
    before: '  if (ends.length === 0) return [];\n  const homes = new Homes(\n',
    after: '  if (ends.length >= 0) return [];\n  const homes = new Homes(\n',
  },
  {
    name: 'a reviewed plan is carried out whatever the state is now',
    file: 'src/engine/engine/use-cases/apply-reviewed.ts',
    before: 'return [...bound, ...steps, ...compareRest(reviewed, now)];',
    after: 'return [];',
  },
  {
    name: 'what depends on a step that failed is carried out',
    file: `${apply}/schedule.ts`,
    before: '        this.#skipDependants(operation);\n        return none;',
    after: '        return this.#releasedBy(operation);',
  },
  {
    name: "what is always there is taken for somebody else's when its first write was lost",
    file: `${apply}/lost-create.ts`,
    before: "if (first === undefined && isAlwaysThere(type)) return { kind: 'absent' };",
    after: '',
  },
  {
    name: 'a change right after a lost create passes for what the platform makes of it',
    file: `${apply}/lost-create.ts`,
    before: "const { [type.revision ?? '']: _, ...values } = object.values;",
    after: 'if (moved.length > 0) return object;\n  const { ...values } = object.values;',
  },
  {
    name: 'a lost create that lists do not show yet is sent again',
    file: `${apply}/examine-intents.ts`,
    before: "if (verdict.kind === 'absent' && isYet)",
    after: "if (verdict.kind === 'absent' && isYet && taken.size > 9999)",
  },
  {
    name: 'an old revision is as good as a new one',
    file: `${refresh}/confirmed-reading.ts`,
    before: "return mode === 'full' || revision === undefined || revision !== record.outputs[type.revision ?? ''];",
    after: "return mode === 'full' || revision === undefined || record === undefined;",
  },
  {
    name: 'an intent is never closed',
    file: `${state}/sql-write.ts`,
    before: 'for (const part of chunks(net.closed))',
    after: 'for (const part of chunks([...net.closed].slice(1)))',
  },
  {
    name: 'a record that was removed stays',
    file: `${state}/sql-write.ts`,
    before: 'for (const part of chunks(net.removes))',
    after: 'for (const part of chunks([...net.removes].slice(1)))',
  },
  {
    name: 'a clock that is set back makes a lease longer',
    file: `${state}/lease-term.ts`,
    before: 'Math.max(now.steady - this.#from.steady, now.wall - this.#from.wall)',
    after: '(now.wall - this.#from.wall)',
  },
  {
    name: 'the record of an update is the old one',
    file: `${apply}/update.ts`,
    before:
      'await progress.put(type, record, declared, object, isEmpty ? [] : [intent.id, ...settledBy(context, type, record)]);',
    after: 'if (!isEmpty) await progress.journal.close(intent);',
  },
  {
    name: 'a secret is told',
    file: 'src/engine/core/model/redactor.ts',
    before: 'if (this.#secrets.size === 0 || given.length < shortestInText) return given;',
    after: 'if (this.#secrets.size >= 0 || given.length < shortestInText) return given;',
  },
  {
    name: 'what is made in an object that the same plan ends is no mistake',
    file: `${plan}/problems.ts`,
    before: 'return end === undefined ? [] : [homeEnds(input, step, end)];',
    after: 'return end === undefined || homeEnds !== undefined ? [] : [homeEnds(input, step, end)];',
  },
  {
    name: 'rows of the history are bound to nothing',
    file: `${state}/sql-runs.ts`,
    before: 'digest = runDigest(digest,',
    after: "digest = runDigest('',",
  },
  {
    name: 'the history does not say that a record went',
    file: `${state}/sql-runs.ts`,
    before: "content: { kind: 'record', before, removed: true },",
    after: "content: { kind: 'record', before },",
  },
  {
    name: 'the history says only of some steps what a run is about to do',
    file: 'src/engine/engine/use-cases/apply-plan.ts',
    before: 'filter(({ operations }) => operations.length > 0);\n  return {',
    after: 'filter(({ operations }) => operations.length > 1);\n  return {',
  },
  {
    name: 'a freeze holds back only who names another one',
    file: `${state}/sql-store.ts`,
    before: 'if (freeze !== undefined && freeze.id !== options.frozen) throw frozen(freeze);',
    after: 'if (freeze !== undefined && freeze.id !== (options.frozen ?? freeze.id)) throw frozen(freeze);',
  },
  {
    name: 'an undo leaves the fields of what is still there',
    file: 'src/engine/engine/use-cases/undo.ts',
    before: 'const value = isChanged ? before.inputs[name] : now.inputs[name];',
    after: 'const value = now === undefined ? before.inputs[name] : now.inputs[name];',
  },
  {
    name: 'an undo takes the child that has the id of its home for the home',
    file: 'src/engine/engine/use-cases/run-changes.ts',
    before: 'findLast(({ type }) => wanted === undefined || type === wanted)',
    after: 'findLast(({ type }) => wanted === undefined || type !== undefined)',
  },
  {
    name: 'an alias does not count',
    file: `${plan}/matching.ts`,
    before: 'const from = this.#formerAddresses(address).find((former) => this.isFree(former));',
    after: 'const from = this.#formerAddresses(address).find((former) => !this.isFree(former));',
  },
  {
    name: 'what the platform asks to wait is waited in part',
    file: `${http}/gate.ts`,
    before: 'this.#heldUntil = Math.max(this.#heldUntil, now + ms);',
    after: 'this.#heldUntil = Math.max(this.#heldUntil, now + ms / 4);',
  },
  {
    name: 'a create is sent again after an error of the server',
    file: `${http}/retry.ts`,
    before: 'return passing.has(status) && isRepeatable(method);',
    after: 'return passing.has(status);',
  },
  {
    name: 'an intent that could not be written is as good as one that was',
    file: `${apply}/journal.ts`,
    before: 'throw error instanceof StepFailure ? new NotStarted(error.diagnostics) : error;',
    after: 'if (!(error instanceof StepFailure)) throw error;',
  },
  {
    name: 'what was kept while the store was away is thrown away',
    file: `${apply}/undelivered.ts`,
    before: 'if (intent !== undefined && write.lineage === lineage)',
    after: 'if (intent !== undefined && write.lineage !== lineage)',
  },
  {
    name: 'a lease that is broken ends at once',
    file: `${state}/sql-lease.ts`,
    before: '  if (!(await slot.revoke(id))) return false;',
    after: '  if (id !== undefined) return slot.drop(id);',
  },
  {
    name: 'what was to be made in a home that is gone is looked for ever after',
    file: `${apply}/examine-intents.ts`,
    before: "(error.kind !== 'not-found' && error.status !== 404)",
    after: "error.kind !== 'not-found'",
  },
  {
    name: 'one list proves that a killed run made nothing',
    file: `${apply}/examine-intents.ts`,
    before: "first.kind === 'absent' && !isAlwaysThere(type) ?",
    after: "first.kind === 'ours' && rivals > 99 ?",
  },
  {
    name: 'a round takes what was not compared for clean',
    file: 'src/report/document/found.ts',
    before: "  if (status === 'incomplete')\n    return {\n      state: 'unknown',\n      cause: unread?.diagnostic",
    after:
      "  if (status === 'incomplete' && notCompared.length > 99)\n    return {\n      state: 'unknown',\n      cause: unread?.diagnostic",
  },
  {
    name: 'stacks of a round keep a pace each',
    file: `${http}/client.ts`,
    before: '(this.#shared?.gate ?? new RequestGate(gate))',
    after: 'new RequestGate(gate)',
  },
  {
    name: 'the history does not say how a run ended',
    file: 'src/engine/engine/use-cases/apply-plan.ts',
    before: '  if (execution.diagnostics.length === 0)\n',
    after: '  if (execution.diagnostics.length > 99)\n',
  },
  {
    name: 'any word opens what is frozen',
    file: `${state}/sql-store.ts`,
    before: 'if (freeze !== undefined && freeze.id !== options.frozen) throw frozen(freeze);',
    after: 'if (freeze !== undefined && options.frozen === undefined) throw frozen(freeze);',
  },
  {
    name: 'a home ends with what is excluded in it',
    file: `${plan}/selection.ts`,
    before: 'if (kept.length === 0) return { steps: selected, homes };',
    after: 'if (kept.length >= 0) return { steps: selected, homes };',
  },
  {
    name: 'without deletes, what is replaced ends',
    file: `${plan}/selection.ts`,
    before: "if (action === 'delete' || action === 'replace') leave(address);",
    after: "if (action === 'delete') leave(address);",
  },
  {
    name: 'one denial is enough where a list could not be read',
    file: `${refresh}/confirmed-reading.ts`,
    before: '(isLacking === true || (await readAgain()) === undefined);',
    after: '(isLacking === true || (await readAgain()) !== first || first === undefined);',
  },
  {
    name: 'of what was kept while the store was away, the first is lost',
    file: `${apply}/undelivered.ts`,
    before: 'writes.set(intent.id, { intent, changes: write.changes });',
    after: 'writes.set(intent.id, { intent, changes: write.changes.slice(1) });',
  },
  {
    name: 'what was answered with an error of the server was not carried out',
    file: `${http}/retry.ts`,
    before: 'return end === 408 || end >= 500;',
    after: 'return end === 408;',
  },
  {
    name: 'an open delete of what does not show yet is done',
    file: `${apply}/examine-intents.ts`,
    before: "return isYoung(context, type, identity) ? 'unproven' : 'gone';",
    after: "return 'gone';",
  },
  {
    name: 'a lease that is broken beats on',
    file: `${state}/sql-lease.ts`,
    before: 'sql`and lease_revoked = 0`),',
    after: 'sql``),',
  },
  {
    name: 'an undo into the files leaves what the run added',
    file: 'src/engine/engine/use-cases/undo-edits.ts',
    before: 'const wanted = differences.filter((one) => !skipped.has(one));',
    after: "const wanted = differences.filter((one) => !skipped.has(one) && one.write.kind !== 'remove');",
  },
  {
    name: 'the first of what moves keeps its old address',
    file: 'src/engine/engine/use-cases/record-moves.ts',
    before: 'address: to })), ...moves];',
    after: 'address: to })), ...moves.slice(1)];',
  },
  {
    name: 'a home that is denied is gone, whatever shows in it',
    file: `${refresh}/evidence.ts`,
    before: 'if (!isAnyGone) return',
    after: 'if (!isAnyGone || isAnyGone) return',
  },
  {
    name: 'a lease has the number of the one before',
    file: `${state}/sql-lease.ts`,
    before: 'update sync_stacks set lease_fence = lease_fence + 1,',
    after: 'update sync_stacks set lease_fence = lease_fence,',
  },
  {
    name: 'the lease of a run that is dead is taken at once',
    file: `${state}/sql-lease.ts`,
    before: 'await timing.sleep(marginsOf(timing.ttlMs).cutMs);',
    after: '',
  },
  {
    name: 'a lease counts from when its beat was answered',
    file: `${state}/sql-lease.ts`,
    before: 'if (alive) return term.confirmed(asked);',
    after: 'if (alive) return term.confirmed(momentOf(timing));',
  },
  {
    name: 'an interrupted create may have made what is managed already',
    file: `${apply}/lost-create.ts`,
    before: '!taken.has(identityKey(type.token, object.identity)) &&',
    after: '',
  },
  {
    name: 'of several that an interrupted create may have made the first is taken',
    file: `${apply}/lost-create.ts`,
    before: 'if (first === undefined || equal.length > 1 + rivals)',
    after: 'if (first === undefined)',
  },
  {
    name: 'what was changed right before a write passes for its answer',
    file: `${apply}/update.ts`,
    before: 'if (others.length === 0) return object;',
    after: 'if (others.length >= 0) return object;',
  },
  {
    name: 'an update whose answer was lost is done',
    file: `${apply}/update.ts`,
    before: 'if (now !== undefined && hasAll(type, request, now)) return now;',
    after: 'if (now !== undefined) return now;',
  },
  {
    name: 'a passing name hides what others changed before',
    file: `${apply}/update.ts`,
    before: 'const moved = actual?.values[revision] === known ?',
    after: 'const moved = actual !== undefined ?',
  },
  {
    name: 'what was changed since the plan ends',
    file: `${apply}/staleness.ts`,
    before:
      "if (current === undefined || !isChecked || isAsPlanned(context, type, step, current, 'read')) return current;",
    after: 'if (current === undefined || !isChecked || isAsPlanned !== undefined) return current;',
  },
  {
    name: 'a step begins before all that it needs is done',
    file: `${apply}/schedule.ts`,
    before: 'return left === 0 && !this.#skipped',
    after: 'return left <= 1 && !this.#skipped',
  },
  {
    name: 'what another stack has made of the same name is no twin',
    file: `${plan}/guards/same-name.ts`,
    before: 'if (type !== undefined && !recorded.has(',
    after: 'if (type !== undefined && recorded.has(',
  },
  {
    name: 'what was let go of a moment ago is no twin',
    file: `${state}/sql-runs.ts`,
    before: 'if (head === undefined || head.at <= since) return [];',
    after: 'if (head === undefined || head.at > since) return [];',
  },
  {
    name: 'the history has a record as it is in the place of what it was',
    file: `${state}/sql-runs.ts`,
    before: 'const before = known.get(address) ?? null;',
    after: 'const before = known.has(address) ? change.resource : null;',
  },
  {
    name: 'a create of which there may be two is sent again when none shows',
    file: `${apply}/create.ts`,
    before: 'if (resends === maxResends || mayMakeTwo(context, type)) throw error;',
    after: 'if (resends === maxResends) throw error;',
  },
  {
    name: 'a refusal of a create that was sent again speaks for the first',
    file: `${apply}/create.ts`,
    before: 'const mayBeMade = resends > 0 && context.settleMs > 0;',
    after: 'const mayBeMade = resends > 99 && context.settleMs > 0;',
  },
  {
    name: 'what another stack has in a home does not count',
    file: `${state}/sql-elsewhere.ts`,
    before: 'if (ids.size === 0) return [];\n  const places',
    after: 'if (ids.size >= 0) return [];\n  const places',
  },
  {
    name: 'what was gone along with an object that may be there is gone',
    file: `${refresh}/evidence.ts`,
    before: '(reading.denied !== undefined || isNotVisibleYet(reading))',
    after: 'reading.denied !== undefined && isNotVisibleYet(reading)',
  },
  {
    name: 'a job that its worker has given up goes on',
    file: 'src/cli/process/interrupts.ts',
    before: '      this.#drain.abort();\n      this.#stop.abort();\n',
    after: '',
  },
  {
    name: 'a check that could not compare everything is clean',
    file: 'src/engine/engine/use-cases/drift/check.ts',
    before: 'const status = statusOf(notCompared.length + (unrecorded ?? 0), findings.length);',
    after: 'const status = statusOf(unrecorded ?? 0, findings.length);',
  },
  {
    name: 'a plan that is held back waits',
    file: 'src/report/document/found.ts',
    before: '  if (blocking.length > 0)\n',
    after: '  if (blocking.length > 99)\n',
  },
  {
    name: 'an apply that was done in part ends well',
    file: 'src/cli/plan/plan-and-apply.ts',
    before: "partly: result.status === 'partly',",
    after: 'partly: false,',
  },
  {
    name: 'an item that stands in a list twice counts twice',
    file: `${http}/list-reader.ts`,
    before: "else if (size < before + items.length) this.wrong = 'an item stands in it twice';",
    after: '',
  },
  {
    name: 'an undo takes back what was changed after the run',
    file: 'src/engine/engine/use-cases/undo.ts',
    before: '(after ?? now).inputs[name]);\n    const value',
    after: 'now.inputs[name]);\n    const value',
  },
];
