/** The reports of a plan, by the names of their files. */
export const reportFiles = [
  'plan.txt',
  'plan.md',
  'plan.html',
  'plan.sarif',
  'gitlab-code-quality.json',
  'gitlab-terraform.json',
  'github-annotations.txt',
  'github-summary.md',
  'github-output.txt',
] as const;
export type ReportFile = (typeof reportFiles)[number];

/** Those that are not there where no plan could be made. */
export const filesOfPlansOnly: readonly ReportFile[] = ['gitlab-terraform.json'];

/** What `sync plan --format` prints, besides the text and the plan itself. */
export const reportFormats = ['markdown', 'html', 'sarif', 'gitlab'] as const;
export type ReportFormat = (typeof reportFormats)[number];

export const fileOfFormat: Readonly<Record<ReportFormat, ReportFile>> = {
  markdown: 'plan.md',
  html: 'plan.html',
  sarif: 'plan.sarif',
  gitlab: 'gitlab-code-quality.json',
};
