interface ReportRow {
  readonly file: string;
  /** The word of `sync plan --format` that prints it, besides the text and the plan itself. */
  readonly format?: string;
  /** Numbers, names and flags alone: no finding, and no place in a file. */
  readonly isBare?: true;
  /** It is not there where no plan could be made. */
  readonly isOfPlansOnly?: true;
}

/** The reports of a plan. */
const table = [
  { file: 'plan.txt' },
  { file: 'plan.md', format: 'markdown' },
  { file: 'plan.html', format: 'html' },
  { file: 'plan.sarif', format: 'sarif' },
  { file: 'gitlab-code-quality.json', format: 'gitlab' },
  { file: 'gitlab-terraform.json', isBare: true, isOfPlansOnly: true },
  { file: 'github-annotations.txt' },
  { file: 'github-summary.md' },
  { file: 'github-output.txt', isBare: true },
] as const satisfies readonly ReportRow[];

type Row = (typeof table)[number];
export type ReportFile = Row['file'];
export type ReportFormat = Extract<Row, { readonly format: string }>['format'];

export const reportFiles: readonly ReportFile[] = table.map(({ file }) => file);
/** Those that show no finding. */
export const bareFiles: readonly ReportFile[] = table.flatMap((row) => ('isBare' in row ? [row.file] : []));
export const filesOfPlansOnly: readonly ReportFile[] = table.flatMap((row) =>
  'isOfPlansOnly' in row ? [row.file] : [],
);
export const reportFormats: readonly ReportFormat[] = table.flatMap((row) => ('format' in row ? [row.format] : []));

export function fileOfFormat(wanted: ReportFormat): ReportFile {
  const row = table.find((each) => 'format' in each && each.format === wanted);
  if (row === undefined) throw new Error(`bug: no report has the format ${wanted}`);
  return row.file;
}
