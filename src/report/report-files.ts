interface ReportRow {
  /** The word of `sync plan --format` that prints it, besides the text and the plan itself. */
  readonly format?: string;
  /** Numbers, names and flags alone: no finding, and no place in a file. */
  readonly isBare?: true;
  /** It is not there where no plan could be made. */
  readonly isOfPlansOnly?: true;
}

/** The reports of a plan, by the names of their files. */
const table = {
  'plan.txt': {},
  'plan.md': { format: 'markdown' },
  'plan.html': { format: 'html' },
  'plan.sarif': { format: 'sarif' },
  'gitlab-code-quality.json': { format: 'gitlab' },
  'gitlab-terraform.json': { isBare: true, isOfPlansOnly: true },
  'github-annotations.txt': {},
  'github-summary.md': {},
  'github-output.txt': { isBare: true },
} as const satisfies Readonly<Record<string, ReportRow>>;

export type ReportFile = keyof typeof table;
type FormatOf<Row> = Row extends { readonly format: infer Format } ? Format : never;
export type ReportFormat = FormatOf<(typeof table)[ReportFile]>;

const rows = Object.entries(table) as readonly (readonly [
  ReportFile,
  ReportRow & { readonly format?: ReportFormat },
])[];

export const reportFiles: readonly ReportFile[] = rows.map(([file]) => file);
export const filesOfPlansOnly: readonly ReportFile[] = rows.flatMap(([file, row]) => (row.isOfPlansOnly ? [file] : []));
/** Those that show no finding. */
export const bareFiles: readonly ReportFile[] = rows.flatMap(([file, { isBare }]) => (isBare ? [file] : []));

const formats = rows.flatMap(([file, { format }]) => (format === undefined ? [] : [[format, file] as const]));
export const reportFormats: readonly ReportFormat[] = formats.map(([format]) => format);

export function fileOfFormat(wanted: ReportFormat): ReportFile {
  for (const [format, file] of formats) if (format === wanted) return file;
  throw new Error(`bug: no report is printed as ${wanted}`);
}
