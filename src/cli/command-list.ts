/** Every command, loaded only when it is the one that was typed. A colon separates a topic from its command. */
export const commandLoaders = {
  adopt: async () => (await import('./commands/adopt.js')).adoptCommand,
  apply: async () => (await import('./commands/apply.js')).applyCommand,
  comment: async () => (await import('./commands/comment.js')).commentCommand,
  completion: async () => (await import('./commands/completion.js')).completionCommand,
  config: async () => (await import('./commands/config.js')).configCommand,
  destroy: async () => (await import('./commands/destroy.js')).destroyCommand,
  drift: async () => (await import('./commands/drift.js')).driftCommand,
  'drift:accept': async () => (await import('./commands/drift-accept.js')).driftAcceptCommand,
  'drift:ignore': async () => (await import('./commands/drift-ignore.js')).driftIgnoreCommand,
  'drift:record': async () => (await import('./commands/drift-record.js')).driftRecordCommand,
  'drift:revert': async () => (await import('./commands/drift-revert.js')).driftRevertCommand,
  explain: async () => (await import('./commands/explain.js')).explainCommand,
  export: async () => (await import('./commands/export.js')).exportCommand,
  fix: async () => (await import('./commands/fix.js')).fixCommand,
  get: async () => (await import('./commands/get.js')).getCommand,
  graph: async () => (await import('./commands/graph.js')).graphCommand,
  import: async () => (await import('./commands/adopt.js')).adoptCommand,
  init: async () => (await import('./commands/init.js')).initCommand,
  lookup: async () => (await import('./commands/lookup.js')).lookupCommand,
  output: async () => (await import('./commands/output.js')).outputCommand,
  plan: async () => (await import('./commands/plan.js')).planCommand,
  'policy:check': async () => (await import('./commands/policy-check.js')).policyCheckCommand,
  refresh: async () => (await import('./commands/refresh.js')).refreshCommand,
  sandbox: async () => (await import('./commands/sandbox.js')).sandboxCommand,
  schema: async () => (await import('./commands/schema.js')).schemaCommand,
  show: async () => (await import('./commands/show.js')).showCommand,
  'state:list': async () => (await import('./commands/state-list.js')).stateListCommand,
  'state:mv': async () => (await import('./commands/state-mv.js')).stateMvCommand,
  'state:pull': async () => (await import('./commands/state-pull.js')).statePullCommand,
  'state:push': async () => (await import('./commands/state-push.js')).statePushCommand,
  'state:rm': async () => (await import('./commands/state-rm.js')).stateRmCommand,
  'state:show': async () => (await import('./commands/state-show.js')).stateShowCommand,
  'state:unlock': async () => (await import('./commands/state-unlock.js')).stateUnlockCommand,
  'types:compile': async () => (await import('./commands/types-compile.js')).typesCompileCommand,
  'types:diff': async () => (await import('./commands/types-diff.js')).typesDiffCommand,
  validate: async () => (await import('./commands/validate.js')).validateCommand,
  version: async () => (await import('./commands/version.js')).versionCommand,
};

/** Commands that share a first word. */
export const topics = [
  { name: 'drift', description: 'finds and settles changes made outside' },
  { name: 'policy', description: 'shows what the policy of the operator allows' },
  { name: 'state', description: 'shows, moves and repairs records' },
  { name: 'types', description: 'makes resource types from API descriptions' },
];

/** Commands by what people come for; the first of those that do one thing alike comes first. */
export const commandGroups = [
  { title: 'START', names: ['init', 'export', 'adopt', 'import', 'sandbox', 'completion', 'version'] },
  { title: 'EVERY DAY', names: ['validate', 'plan', 'apply', 'drift', 'drift …', 'comment'] },
  { title: 'MEND', names: ['fix', 'refresh', 'state …', 'destroy'] },
  {
    title: 'INSPECT',
    names: ['explain', 'show', 'output', 'get', 'lookup', 'schema', 'graph', 'config', 'types …', 'policy …'],
  },
];
