/** The run of a pipeline that made a document. What the pipeline's variables don't say is absent. */
export interface Pipeline {
  /** `owner/name`, or the number of a project. */
  readonly repository?: string;
  /** Full hash of the commit that the run was for. */
  readonly commit?: string;
  /** What the platform's API knows the run by. */
  readonly run?: number;
  /** Folder of sync.yaml inside the repository, forward slashes; absent: its root. */
  readonly folder?: string;
}
