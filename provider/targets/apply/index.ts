export { APPLY_VARIABLE, type ApplyFacts, type ApplyRecord, isRecordKey, layDown, type Phase, readRecord, rootTable } from "./record";
export { guardedByApply } from "./recording";
export { confirmApply, forgetApply, type Undone, undoApply } from "./undo";
