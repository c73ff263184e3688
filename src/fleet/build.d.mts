export function buildFleet(outdir?: string): Promise<void>;
