/** Changes of a preview as a document for people. Pure: the input is the text of `pulumi preview --json`. */
export { differenceOf } from "./difference";
export { hasChanges, type Difference } from "./model";
export { readPreview } from "../plan/preview";
export { compose, type Format } from "./render/document";
export { jsonFormat } from "./render/json";
export { markdownFormat } from "./render/markdown";
export { textFormat } from "./render/text";
