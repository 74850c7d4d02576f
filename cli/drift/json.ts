import type { DriftReport, Subject } from "./model";

/** Pure. One object; docs/how-to/drift.md documents its fields. */
export function driftJson({ project = null, stack = null, compared, drifted, skipped, failed }: ReportOrNull): unknown {
  return {
    version: 1,
    project,
    stack,
    compared,
    drifted: drifted.map((resource) => ({ ...named(resource), differences: resource.parts })),
    skipped: skipped.map(named),
    failed: failed.map((resource) => ({ ...named(resource), message: resource.message })),
  };
}

type ReportOrNull = Omit<DriftReport, "project" | "stack"> & { readonly project: string | null | undefined; readonly stack: string | null | undefined };

function named({ urn, kind, name, target }: Subject) {
  return { urn, kind, name, ...(target && { [target.kind]: target.name }) };
}
