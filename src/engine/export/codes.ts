import type { DiagnosticCodes } from '../model/diagnostic.js';

/** Everything that exporting may report. */
export const exportCodes = {
  'export-unknown-type': {
    title: 'No such type to export',
    explanation:
      '`--type` takes the name of a resource type, such as `Api` or `platform:Api`. `sync schema` lists them.',
  },
  'export-bad-filter': {
    title: 'A filter that can not work',
    explanation:
      '`--filter` takes `FIELD=PATTERN`, `FIELD.KEY=PATTERN` or `TYPE.FIELD=PATTERN`, where `*` stands for any text. The field must belong to a type that is read, and must be one that lists carry.',
  },
  'export-same-key': {
    title: 'Objects that names can not tell apart',
    explanation:
      'Several objects have the same natural key (two API products of one name). A catalogue can name only one of them: the first is exported with `options.import` and its id, the others are left out, with what is below them. Rename them on the platform and export again.',
  },
  'export-object-left-out': {
    title: 'An object that a catalogue can not hold',
    explanation:
      'The platform has the object, but a field that it can not do without breaks a rule of catalogues. It stays as it is, unmanaged, and so does what is below it.',
  },
  'export-object-unread': {
    title: 'An object that can not be read',
    explanation:
      'The platform answers something about the object that its description does not allow. The object is left out, with what is below it; everything else is exported.',
  },
  'export-field-left-out': {
    title: 'A field that a catalogue can not hold',
    explanation:
      'The platform has a value there that breaks a rule of catalogues (such as a label with a reserved prefix), or the field is a secret. The file is silent about the field, so it stays as it is on the platform.',
  },
  'export-not-written': {
    title: 'An exported file can not be written',
    explanation:
      'The folder given with `--out` can not be written to, or the disk is full. Files written before it stay.',
  },
} as const satisfies DiagnosticCodes;
