export { checkOnce } from "./check-once";
export { APPLY_VARIABLE, type ApplyFacts, type ApplyRecord, isRecordKey, layDown, type Phase, readRecord, rootTable } from "./record";
export type { PartImage, StoredPart } from "./part";
export { recordingParts } from "./record-parts";
export { guardedByApply } from "./recording";
export { confirmApply, forgetApply, type RestoredParts, type RestoreParts, type Undone, undoApply } from "./undo";
