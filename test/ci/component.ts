import { type Machine, type Ran, readYaml, shell } from './recipe.js';

/** The file that GitLab's catalogue takes the component from. */
export const componentFile = 'templates/sync.yml';

export interface Job {
  readonly extends?: string;
  readonly image?: string;
  readonly variables?: Readonly<Record<string, string>>;
  readonly before_script?: readonly string[];
  readonly script?: readonly string[];
  readonly artifacts?: {
    readonly paths: readonly string[];
    readonly reports?: Readonly<Record<string, readonly string[]>>;
  };
  readonly resource_group?: string;
  readonly interruptible?: boolean;
  readonly needs?: readonly string[];
  readonly environment?: { readonly name: string };
  readonly rules?: readonly { readonly if?: string; readonly variables?: Readonly<Record<string, string>> }[];
}

export interface Component {
  readonly inputs: Readonly<Record<string, { readonly default?: string; readonly description?: string }>>;
  /** Inputs that the jobs mention, in order, with repeats. */
  readonly used: readonly string[];
  readonly jobs: Readonly<Record<string, Job>>;
}

const inputPattern = /\$\[\[ inputs\.([\w-]+) \]\]/g;

/** Both documents of the component, its inputs filled in as GitLab does it: as text, before the jobs are read. */
export async function readComponent(given: Readonly<Record<string, string>>): Promise<Component> {
  const documents = await readYaml(componentFile);
  if (documents.length !== 2) throw new Error('a component has two documents: its inputs, and its jobs');
  const [header, body] = documents as [{ spec: Pick<Component, 'inputs'> }, unknown];
  const { inputs } = header.spec;
  const unknown = Object.keys(given).filter((name) => !Object.hasOwn(inputs, name));
  if (unknown.length > 0) throw new Error(`no input ${unknown.join(', ')}`);
  const template = JSON.stringify(body);
  const text = template.replace(inputPattern, (_whole, name: string) => {
    const value = given[name] ?? inputs[name]?.default;
    if (value === undefined) throw new Error(`input ${name} has no value`);
    return JSON.stringify(value).slice(1, -1);
  });
  const used = [...template.matchAll(inputPattern)].map(([, name = '']) => name);
  return { inputs, used, jobs: JSON.parse(text) as Component['jobs'] };
}

/** Runs a job as a runner does: the lines of both scripts in one shell, variables in the environment. */
export async function runJob(
  machine: Machine,
  { jobs }: Component,
  name: string,
  env: Readonly<Record<string, string>> = {},
  sh?: readonly string[],
): Promise<Ran> {
  const job = jobs[name];
  const base = jobs[job?.extends ?? ''];
  if (base === undefined || job === undefined) throw new Error(`no job ${name}`);
  const variables = Object.entries({ ...base.variables, ...job.variables }).map(([key, value]) => [
    key,
    value.replaceAll('$CI_PROJECT_DIR', machine.folder),
  ]);
  const predefined = { ...machine.env, GITLAB_CI: 'true', CI_PROJECT_DIR: machine.folder, ...env };
  return shell([...(base.before_script ?? []), ...(job.script ?? [])].join('\n'), {
    cwd: machine.folder,
    env: { ...predefined, ...Object.fromEntries(variables) },
    ...(sh === undefined ? {} : { sh }),
  });
}
