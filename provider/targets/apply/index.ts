export { APPLY_VARIABLE, type ApplyFacts, type ApplyRecord, layDown, type Phase, readRecord, rootTable } from "./record";
export { guardedByApply } from "./recording";
export { confirmApply, forgetApply, type Undone, undoApply } from "./undo";
