import type { SourceRange } from '../../model/place-in-file.js';
import type { BuildContext } from './build-context.js';
import { refuseUnknownKeys, type Entries } from './shape.js';

const fileKeys = ['defaults', 'variables', 'sources', 'resources', 'outputs', 'removed'];
const overlayKeys = [...fileKeys, 'patches'];

interface ForeignKind {
  /** What such a file has at its top. */
  readonly keys: readonly [string, ...string[]];
  readonly what: string;
  readonly isData?: true;
}

/** Files of others that lie where catalogues do. */
const foreignKinds: readonly ForeignKind[] = [
  ...['openapi', 'swagger', 'asyncapi'].map((key) => ({
    keys: [key] as const,
    what: 'an API specification',
    isData: true as const,
  })),
  { keys: ['apiVersion', 'kind'], what: 'a Kubernetes manifest' },
  { keys: ['_format_version'], what: "a gateway's configuration, which its own command line reads" },
  { keys: ['_defaults'], what: "a file of the vendor's command line" },
  { keys: ['apis'], what: "a file of the vendor's command line" },
  { keys: ['portals'], what: "a file of the vendor's command line" },
];

export function refuseSections(sections: Entries, isOverlay: boolean, context: BuildContext): void {
  const kind = foreignKinds.find(({ keys }) => keys.every((name) => sections.has(name)));
  const at = kind === undefined ? undefined : sections.get(kind.keys[0])?.key;
  if (at === undefined) {
    const patched = isOverlay ? undefined : sections.get('patches')?.key;
    if (patched !== undefined) reportPatches(patched, context);
    const known = isOverlay || patched !== undefined ? overlayKeys : fileKeys;
    return refuseUnknownKeys(sections, known, 'A catalogue file', context);
  }
  context.problems.add('not-a-catalogue', at, `This is ${kind?.what ?? 'another file'}, not a catalogue file.`, {
    detail:
      'Every file that matches the patterns under "catalogue" in sync.yaml is read, unless another one reads it with !file.',
    hint:
      kind?.isData === true
        ? 'Read it with !file, move it elsewhere, or narrow the patterns.'
        : 'Move it elsewhere, or narrow the patterns.',
  });
}

function reportPatches(at: SourceRange, { problems }: BuildContext): void {
  problems.add('patch-in-catalogue', at, 'Patches stand in an overlay, and this file is part of the catalogue.', {
    hint: 'List the file under "overlays" of a stack in sync.yaml.',
  });
}
