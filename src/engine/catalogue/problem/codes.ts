import type { DiagnosticCode, DiagnosticCodes } from '../../model/diagnostic.js';

function code(title: string, explanation: string): DiagnosticCode {
  return { title, explanation };
}

const files = {
  'no-project': code(
    'No sync.yaml',
    'The folder holds no `sync.yaml`. Run `sync init` to write one, or name the project folder with `--cwd`.',
  ),
  'no-catalogue-files': code(
    'No catalogue files',
    'No file matches a pattern under `catalogue` in sync.yaml. An empty catalogue means that nothing should exist, and a mistyped pattern must not say so. A file that holds `resources: {}` says it on purpose.',
  ),
  'not-a-catalogue': code(
    'Another kind of file among the catalogue files',
    'Every YAML file that matches the patterns in sync.yaml is read as a catalogue file, unless another catalogue file reads it with `!file` or a source. Kubernetes manifests and files of other tools are recognised: move them elsewhere or narrow the patterns.',
  ),
  'unread-specification': code(
    'Specifications that nothing reads',
    'API specifications lie among the catalogue files, and no catalogue file reads them with `!file` or a source: nothing is made of them.',
  ),
  'no-source-files': code(
    'A source without files',
    'The folder or pattern of a source has no file of its type. Resources must not go because of a mistyped name: where nothing should exist, take the source away.',
  ),
  'source-type': code(
    'A type that no file stands for',
    'A source makes resources out of files: specifications, or pages of Markdown. Of most types, a file can not say what it takes: declare those under `resources`.',
  ),
  'source-without-parent': code(
    'A file with nothing to stand under',
    'The folders of a source say what its files belong to: `docs/petstore/guide.md` stands under the resource `petstore`, and `docs/petstore/guide/errors.md` under the page `petstore/guide`. That resource, or that page, is not there.',
  ),
  'not-a-specification': code(
    'No API specification',
    'A file of a source of specifications is empty, or has neither `openapi`, `swagger` nor `asyncapi` at its top. It is not left out silently: the API would be deleted.',
  ),
  'file-not-found': code(
    'File not found',
    'A file that is named does not exist. Paths are relative to the file that names them.',
  ),
  'file-not-readable': code('File not readable', 'The file exists but can not be read, or is no ordinary file.'),
  'file-outside-project': code(
    'File outside the project',
    'Catalogues read files inside their project folder only, symbolic links followed. This keeps a catalogue from a stranger from reading your machine.',
  ),
  'file-no-data': code(
    'Not a file for catalogues',
    'Anything in `.git` or `.sync`, the state, and files that keep secrets (`.env`, `.npmrc`, `.netrc` …) are never read, whatever they are called by: what a catalogue reads ends up in reports. A policy may narrow it further to some folders (`data`).',
  ),
  'empty-file': code(
    'File is empty',
    'A catalogue file, or one that is read as a text or a page, holds nothing, or white space alone: mostly a file that was never saved. A warning: an empty text may be meant.',
  ),
  'file-too-large': code('File too large', 'Catalogue files, and files they read, may have up to 32 MiB.'),
  'file-not-yaml': code(
    'Not a YAML or JSON file',
    '`!file path#/pointer` takes a part of a parsed file, and this file can not be parsed. Without `#…` the whole text is taken.',
  ),
  'not-utf8': code('Not UTF-8', 'All files are read as UTF-8. The place is the first byte that is none.'),
  'yaml-syntax': code(
    'Broken YAML',
    'The file is not YAML 1.2. All errors of all files are reported; what the broken file declares is unknown until they are gone.',
  ),
  'merge-conflict': code(
    'Marks of a merge',
    'Two branches changed the file, and git wrote both sides into it. Nothing is read before one of them is chosen.',
  ),
  'nesting-too-deep': code(
    'Nested too deeply',
    'Values may be nested 100 levels deep in a file of the catalogue, and 200 in a data file of which a part is taken.',
  ),
  'alias-bomb': code(
    'Aliases multiply',
    'Aliases that point to aliases make this file stand for more than a million values. Write them out, or use variables.',
  ),
  'bad-alias': code(
    'Alias to nothing',
    'An alias (`*name`) names an anchor (`&name`) further up in the same document.',
  ),
  'bad-merge': code('Bad merge', 'A merge key (`<<`) takes a map or a list of maps.'),
  'bad-key': code('Bad key', 'The keys of maps are plain text.'),
  'duplicate-key': code(
    'Duplicate key',
    'A map has the same key twice. YAML would keep the last one and drop the other silently.',
  ),
} satisfies DiagnosticCodes;

const expressions = {
  'unknown-tag': code('Unknown tag', 'The tags of catalogues are `!file`, `!env`, `!secret`, `!json` and `!lookup`.'),
  'unknown-function': code(
    'Unknown function',
    'The functions of catalogues are `fn::readFile`, `fn::env`, `fn::secret`, `fn::toJSON`, `fn::invoke` and `fn::join`.',
  ),
  'bad-function-call': code(
    'Bad function call',
    'A function got something it does not take. The sentence says what it takes.',
  ),
  'bad-pointer': code(
    'Bad JSON pointer',
    'What follows `#` in `!file` is a JSON pointer: `/info/title`, `/servers/0/url`.',
  ),
  'pointer-to-nothing': code(
    'Pointer to nothing',
    'The file was read, but has nothing at the place the pointer names.',
  ),
  'variable-not-allowed': code(
    'The policy keeps a variable from the catalogue',
    'The policy of whoever runs this (`SYNC_POLICY`) lists the variables that `!env` may read under `env`, and this one is not among them. See [security](security.md).',
  ),
  'unset-variable': code(
    'Environment variable not set',
    '`!env NAME` needs the variable wherever the catalogue is read, also in `sync validate`. An empty value counts as set.',
  ),
  'bad-reference': code(
    'Bad reference',
    '`${…}` holds a reference: `${petstore.id}`. A literal `${` is written `$${`.',
  ),
  'unknown-reference': code(
    'Reference to nothing',
    'No resource or variable has this name. A child is named with what it stands under: `${petstore/guide.id}`.',
  ),
  'unknown-parameter': code(
    'Unknown parameter',
    'Parameters are declared under `parameters` in sync.yaml; `${param.region}` refers to one, and `stacks.NAME.parameters`, `--var`, `--var-file` and `SYNC_VAR_…` give it a value.',
  ),
  'reference-without-property': code(
    'Reference without property',
    'A reference to a resource names one of its properties: `${petstore.id}`.',
  ),
  'wrong-reference': code(
    'Reference to the wrong kind of resource',
    'The property takes the id of another type of resource.',
  ),
  cycle: code(
    'Cycle',
    'Resources and variables need each other in a ring, so that none can be made first. The whole ring is shown.',
  ),
  'unknown-lookup': code('Unknown lookup', 'No provider has a lookup of this name. `sync schema` lists them.'),
} satisfies DiagnosticCodes;

const structure = {
  'unknown-key': code(
    'Unknown key',
    'This block has no such key. Nothing is ignored silently: a typing error would else be a setting without effect.',
  ),
  'wrong-type': code(
    'Wrong type',
    'The value is of another type than the one asked for. Unquoted `1.0` and `true` are a number and a boolean: quote them where text is meant.',
  ),
  'bad-name': code(
    'Bad name',
    'Resources, variables and outputs have names of letters, digits, `_` and `-` that start with a letter or `_`. Dots and slashes have a meaning in references.',
  ),
  'duplicate-address': code(
    'Duplicate address',
    'Two files, or one twice, declare a resource of the same address. Both places are shown.',
  ),
  'patch-of-nothing': code(
    'A patch of nothing',
    'An overlay patches resources that the catalogue declares, by their addresses (`petstore/guide`). New ones stand under `resources`.',
  ),
  'patched-twice': code(
    'Patched twice',
    'Two patches give the same field of a resource, or one switches off what another one changes. Overlays have no order, so neither wins.',
  ),
  'patch-in-catalogue': code(
    'A patch in a file of the catalogue',
    'Patches belong to a stack: the file stands under `stacks.NAME.overlays` in sync.yaml.',
  ),
  'reserved-word': code(
    'A name with a meaning of its own',
    '`${param.…}`, `${project}` and `${stack}` are the parameters, the project and the stack, so no variable and no resource at the top is called like that. A resource that is renamed keeps its object with `options.aliases`.',
  ),
  'duplicate-name': code(
    'Duplicate name',
    'Names of variables and resources are shared and unique in the whole catalogue; so are names of outputs.',
  ),
  'missing-type': code('Missing type', 'Every resource has a type, such as `platform:Api`.'),
  'unknown-type': code('Unknown resource type', 'No provider has this type. `sync schema` lists them.'),
  'cannot-nest': code(
    'Type can not stand here',
    'Under `children`, only types that live in the resource above may stand.',
  ),
  'parent-field-given': code(
    'Parent given twice',
    'What a child belongs to follows from where it is written, and is not said again as a property.',
  ),
  'alias-in-use': code(
    'Former address in use',
    'An address under `aliases` still belongs to a resource, or is claimed by two.',
  ),
  'removed-in-use': code(
    'Removed and still there',
    'An address under `removed` leaves the state while its object stays. It is still declared in the catalogue, or is a former address of a resource that takes the record over.',
  ),
  'import-twice': {
    title: 'Two resources import one object',
    explanation:
      'One object belongs to one resource. Take `options.import` out of one of the two, or one of the two out of what `sync import` is given; a resource that was renamed moves by `aliases`, or by its key.',
  },
  'bad-import-id': code(
    'Bad import id',
    '`import` takes the id as the type states it: plain text, or a JSON object of the ids above it and its own.',
  ),
} satisfies DiagnosticCodes;

const values = {
  'unknown-property': code('Unknown property', 'The type, or the value a reference leads to, has no such property.'),
  'computed-property': code(
    'Computed property',
    'The platform sets this property itself. It can be read in references, not be declared.',
  ),
  'deprecated-property': code('Deprecated property', 'The platform is going to drop this property.'),
  'missing-property': code('Missing property', 'The type needs this property.'),
  'exactly-one': code('Exactly one of several', 'Of a group of properties exactly one must be declared.'),
  'nothing-changed': code(
    'Nothing is changed',
    'One of a fixed set is there before anybody changes it, and the block says what is so anyway.',
  ),
  'not-allowed': code('Value not allowed', 'The property takes only the listed values.'),
  'too-short': code('Too short', 'The text is shorter than the platform accepts.'),
  'too-long': code('Too long', 'The text is longer than the platform accepts.'),
  'too-few': code('Too few entries', 'The list or map has fewer entries than the platform accepts.'),
  'too-many': code('Too many entries', 'The list or map has more entries than the platform accepts.'),
  'repeated-item': code('Repeated item', 'The list holds the same item twice.'),
  'secret-breaks-rule': code('A secret breaks a rule', 'Which rule it is would tell something of the secret.'),
  'secret-as-name': code(
    'A secret as a name',
    'With `plan --untrusted`, no secret stands in a field by which objects are known: natural key, name, or a part of the path. Names are looked up, compared and shown before anybody has reviewed the files.',
  ),
  'bad-form': code('Bad form', 'The text does not match the pattern the platform asks for.'),
  'not-an-id': code(
    'No id',
    'The property takes the id of an object, a UUID. A resource of the catalogue is meant by `${KEY.id}`, any other object by `!lookup`.',
  ),
  'key-as-id': code(
    'Key in place of an id',
    'The property takes an id, and holds the key of a resource as plain text. `${KEY.id}` would be its id, known also to the order in which things are made. A warning: ids of this type may have any form.',
  ),
  'reserved-name': code('Reserved name', 'The platform keeps keys that begin like this for itself.'),
  'not-json': code('Not JSON', 'The text stands for a map and must be its JSON.'),
  'null-not-allowed': code(
    'Null where there is no default',
    'Null puts a property back to what the platform has without it. This one is required, or the platform has no way to clear it. To leave it out over a default, write `!unset`.',
  ),
  'null-over-default': code(
    'Null over a default',
    'Null inside of a map left out the key that a default gives. That will change: `!unset` says that the key is not declared, and null takes it off the object.',
  ),
  'foreign-key': code(
    'A key of others',
    'Keys that begin like this belong to another tool, so they are neither set nor removed. Which ones those are is said by the provider, or by `labels.foreign` in sync.yaml.',
  ),
  'mark-key': code(
    'A label that says whose an object is',
    'Two label keys are kept for ownership marks (`ownership: label` in sync.yaml). What a file said there would make an object look like the one of another resource, so no file may set them.',
  ),
  'broken-rule': code('Broken rule', 'The value breaks another rule of the schema.'),
  'same-object': code(
    'Two resources, one object',
    'Two resources have the same natural key (such as name and version): the platform would refuse the second one.',
  ),
} satisfies DiagnosticCodes;

const project = {
  'unknown-stack': code('Unknown stack', 'A stack other than `default` must be declared under `stacks` in sync.yaml.'),
  'bad-types-file': {
    title: 'A file of types can not be used',
    explanation:
      'A block under `providers` names it with `types`. It is a file of the project, as `sync types compile` writes it; the message says what is wrong with it.',
  },
  'unknown-provider': code('Unknown provider', 'No provider has this name.'),
  'missing-setting': code('Missing setting', 'sync.yaml lacks a setting that has no default.'),
  'bad-setting': code(
    'Bad setting',
    'A setting of sync.yaml is outside of what it may be. Of [a platform of your own](guides/own-platform.md): `serverUrl` is an https:// address (http:// on this machine only); `auth` is one of `bearer`, `header`, `basic` and `clientCredentials`.',
  ),
  'missing-parameter': code(
    'A parameter without a value',
    'A parameter without a default needs a value for every stack that is used: under `stacks.NAME.parameters` in sync.yaml, with `--var NAME=VALUE`, in a `--var-file`, or as `SYNC_VAR_NAME` (in capitals, dashes as `_`).',
  ),
  'bad-parameter': code(
    'A value that a parameter does not take',
    'The value is of another type than the parameter declares, or not among those it allows. Lists and maps that are given as text are JSON.',
  ),
  'literal-secret': code(
    'Secret in a file',
    'A token stands in sync.yaml in plain text, or a secret on a command line. Files end up in version control: give it by its environment variable, or with `!env NAME`.',
  ),
} satisfies DiagnosticCodes;

/** Everything that reading sync.yaml and the catalogue files may report. */
export const catalogueCodes = {
  ...files,
  ...expressions,
  ...structure,
  ...values,
  ...project,
} satisfies DiagnosticCodes;

export type CatalogueCode = keyof typeof catalogueCodes;
