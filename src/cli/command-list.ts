import type { CommandClass } from './run/sync-command.js';

/** Every command, loaded only when it is the one that was typed. A colon separates a topic from its command. */
export const commandLoaders: Readonly<Record<string, () => Promise<CommandClass>>> = {
  adopt: async () => (await import('./commands/adopt.js')).AdoptCommand,
  apply: async () => (await import('./commands/apply.js')).ApplyCommand,
  comment: async () => (await import('./commands/comment.js')).CommentCommand,
  completion: async () => (await import('./commands/completion.js')).CompletionCommand,
  config: async () => (await import('./commands/config.js')).ConfigCommand,
  destroy: async () => (await import('./commands/destroy.js')).DestroyCommand,
  drift: async () => (await import('./commands/drift.js')).DriftCommand,
  'drift:accept': async () => (await import('./commands/drift-accept.js')).DriftAcceptCommand,
  'drift:ignore': async () => (await import('./commands/drift-ignore.js')).DriftIgnoreCommand,
  'drift:record': async () => (await import('./commands/drift-record.js')).DriftRecordCommand,
  'drift:revert': async () => (await import('./commands/drift-revert.js')).DriftRevertCommand,
  export: async () => (await import('./commands/export.js')).ExportCommand,
  fix: async () => (await import('./commands/fix.js')).FixCommand,
  graph: async () => (await import('./commands/graph.js')).GraphCommand,
  import: async () => (await import('./commands/import.js')).ImportCommand,
  init: async () => (await import('./commands/init.js')).InitCommand,
  lookup: async () => (await import('./commands/lookup.js')).LookupCommand,
  plan: async () => (await import('./commands/plan.js')).PlanCommand,
  'policy:check': async () => (await import('./commands/policy-check.js')).PolicyCheckCommand,
  refresh: async () => (await import('./commands/refresh.js')).RefreshCommand,
  sandbox: async () => (await import('./commands/sandbox.js')).SandboxCommand,
  schema: async () => (await import('./commands/schema.js')).SchemaCommand,
  show: async () => (await import('./commands/show.js')).ShowCommand,
  'state:list': async () => (await import('./commands/state-list.js')).StateListCommand,
  'state:mv': async () => (await import('./commands/state-mv.js')).StateMvCommand,
  'state:pull': async () => (await import('./commands/state-pull.js')).StatePullCommand,
  'state:push': async () => (await import('./commands/state-push.js')).StatePushCommand,
  'state:rm': async () => (await import('./commands/state-rm.js')).StateRmCommand,
  'state:show': async () => (await import('./commands/state-show.js')).StateShowCommand,
  'state:unlock': async () => (await import('./commands/state-unlock.js')).StateUnlockCommand,
  'types:compile': async () => (await import('./commands/types-compile.js')).TypesCompileCommand,
  'types:diff': async () => (await import('./commands/types-diff.js')).TypesDiffCommand,
  validate: async () => (await import('./commands/validate.js')).ValidateCommand,
  version: async () => (await import('./commands/version.js')).VersionCommand,
};

/** Commands that share a first word. */
export const topics = [
  { name: 'drift', description: 'finds what was changed outside, and deals with it' },
  { name: 'policy', description: 'what the operator lets the files under review do' },
  { name: 'state', description: 'looks into, moves and mends what was recorded' },
  { name: 'types', description: 'makes types of resources out of API descriptions' },
];
